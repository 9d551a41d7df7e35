import { type Message, type OutboundFile, type OutboundMessage, type SendOutcome, second } from "@parley/core"
import { type GraphApi, uploadTimeout } from "@parley/meta-graph"
import { callTimeout, sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { meaningOf } from "./Meaning.js"
import { messageBody, type UploadedFile } from "./messageBody.js"
import { headerKind, mediaKind, uploadFile } from "./uploadFile.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
)

/** Timeout of a send in ms: longer than uploading its files and sending the message together. */
export const sendTimeout: number = uploadTimeout + callTimeout + 30 * second

/** Total size of the files that a connection uploads at once in one process, in bytes: so that none times out. */
const maxUploading = 64 * 1_048_576

/** How many sends with files like those of a message run at once; null: without files, no limit. */
export const maxConcurrentSends = ({ attachments }: Pick<Message, "attachments">): number | null => {
  const bytes = attachments.reduce((sum, { size }) => sum + size, 0)
  return attachments.length === 0 ? null : Math.floor(maxUploading / Math.max(1, bytes))
}

/**
 * Sends one message: `POST /{phone number id}/messages`, after the upload of its files
 * (docs/reference/whatsapp.md#send-request).
 */
export const sendMessage = (
  graph: GraphApi,
  account: WhatsAppAccount,
  message: OutboundMessage
): Effect.Effect<SendOutcome> => {
  const { config, credentials } = account
  const files = message.files ?? []
  const path = `/${config.phone_number_id}/messages`
  const send = (uploaded: ReadonlyArray<UploadedFile>) =>
    graph.call(credentials.access_token, { path, body: messageBody(message, uploaded) })
  return sendOutcome(
    // Together, so that a send with several files takes no longer.
    Effect.forEach(files, (file) => uploadFile(graph, account, file, kindOf(file, message)), {
      concurrency: "unbounded"
    }).pipe(Effect.flatMap(send)),
    {
      messageId: (answer) => Option.map(readAnswer(answer), ({ messages: [{ id }] }) => id),
      meaningOf,
      credentials
    }
  )
}

const kindOf = (file: OutboundFile, { body, template }: OutboundMessage): UploadedFile["kind"] =>
  template === null ? mediaKind(file, body) : headerKind(file)
