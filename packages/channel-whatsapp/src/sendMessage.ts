import {
  type Connection,
  day,
  type Message,
  type OutboundFile,
  type OutboundMessage,
  type SendOutcome,
  second
} from "@parley/core"
import { type GraphApi, type GraphFailure, uploadTimeout } from "@parley/meta-graph"
import { callTimeout, sendOutcome, type VendorFile, type VendorFiles } from "@parley/provider-kit"
import { Duration, Effect, Option, Schema } from "effect"
import { meaningOf } from "./Meaning.js"
import { messageBody, type UploadedFile } from "./messageBody.js"
import { headerKind, mediaKind, uploadFile } from "./uploadFile.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
)

/** Timeout of a send in ms: longer than two uploads and two sends, where the first send is refused. */
export const sendTimeout: number = 2 * (uploadTimeout + callTimeout) + 30 * second

/** For how long a media id is used, in ms. Meta keeps files that were uploaded for 30 days. */
export const mediaIdLifetime: number = day

/** Total size of the files that a connection uploads at once in one process, in bytes: so that none times out. */
export const maxUploading = 64 * 1_048_576

/** How many sends with files like those of a message run at once; null: without files, no limit. */
export const maxConcurrentSends = ({ attachments }: Pick<Message, "attachments">): number | null => {
  const bytes = attachments.reduce((sum, { size }) => sum + size, 0)
  return attachments.length === 0 ? null : Math.floor(maxUploading / Math.max(1, bytes))
}

/**
 * Sends one message: `POST /{phone number id}/messages`, after the upload of its files
 * (docs/reference/whatsapp.md#send-request). Files that are known at Meta are not uploaded again, unless Meta refuses
 * their ids (docs/reference/whatsapp.md#files-that-are-sent).
 */
export const sendMessage = (
  graph: GraphApi,
  account: WhatsAppAccount,
  message: OutboundMessage,
  { connection, mediaIds }: { readonly connection: Connection; readonly mediaIds: VendorFiles }
): Effect.Effect<SendOutcome> => {
  const { config, credentials } = account
  const path = `/${config.phone_number_id}/messages`
  const uploads = Effect.timeoutFail(
    // Together, so that a send with several files takes no longer.
    Effect.forEach(
      message.files ?? [],
      (file) => {
        const key = mediaKey(connection, account, file)
        const upload = uploadFile(graph, account, file)
        const kept = key === null ? Effect.map(upload, newFile) : mediaIds.idOf(key, upload)
        return Effect.map(kept, ({ id, isKnown }) => ({
          shown: { kind: kindOf(file, message), id, fileName: file.fileName },
          knownBy: isKnown ? key : null
        }))
      },
      { concurrency: "unbounded" }
    ),
    // A send may wait for the upload of another one.
    { duration: Duration.millis(uploadTimeout), onTimeout: () => notInTime }
  )
  const send = (uploaded: ReadonlyArray<MessageFile>) => {
    const body = messageBody(
      message,
      uploaded.map(({ shown }) => shown)
    )
    return graph.call(credentials.access_token, { path, body })
  }
  const sent = Effect.flatMap(uploads, (uploaded) =>
    Effect.catchIf(
      send(uploaded),
      (failure) => isFileRefused(failure) && uploaded.some(({ knownBy }) => knownBy !== null),
      () => {
        for (const { knownBy, shown } of uploaded) if (knownBy !== null) mediaIds.forget(knownBy, shown.id)
        return Effect.flatMap(uploads, send)
      }
    )
  )
  return sendOutcome(sent, {
    messageId: (answer) => Option.map(readAnswer(answer), ({ messages: [{ id }] }) => id),
    meaningOf,
    credentials
  })
}

/** A file of a message, and the key of its media id if that was known before this send. */
interface MessageFile {
  readonly shown: UploadedFile
  readonly knownBy: string | null
}

const newFile = (id: string): VendorFile => ({ id, isKnown: false })

const notInTime: GraphFailure = { _tag: "Unreachable", reason: "the files were not uploaded in time" }

/** The file of a connection at Meta, where it belongs to a number; null if the name of its bytes is not known. */
const mediaKey = (
  { config: { api_url }, id }: Connection,
  { config }: WhatsAppAccount,
  { contentKey, contentType, fileName }: OutboundFile
): string | null =>
  contentKey === undefined
    ? null
    : JSON.stringify([id, api_url ?? null, config.phone_number_id, contentKey, contentType, fileName])

/**
 * Whether Meta may have refused a message because it does not know a media id. Code 100 has other causes too: another
 * upload then costs no more than that of a new file.
 */
const isFileRefused = (failure: GraphFailure): boolean =>
  failure._tag === "Refused" && fileRefusals.includes(failure.error?.code ?? 0)

const fileRefusals: ReadonlyArray<number> = [100, 131052, 131053]

const kindOf = (file: OutboundFile, { body, template }: OutboundMessage): UploadedFile["kind"] =>
  template === null ? mediaKind(file, body) : headerKind(file)
