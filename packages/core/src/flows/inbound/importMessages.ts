import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import { derivedIdAt } from "../../kernel/derivedId.js"
import type { Connection } from "../../model/Connection.js"
import type { InboundEvent, PastMessage } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import { type Envelope, emptyEnvelope, type Message, type ProviderMessage, type Quoted } from "../../model/Message.js"
import { changes, expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { attachFile, type InboundFile } from "../../resources/attachments/attachFile.js"
import {
  type ContactAndConversation,
  type OpenedConversation,
  openConversation
} from "../../resources/conversations/openConversation.js"
import { advanceAll } from "../../resources/messages/advance.js"
import { claimProviderMessage } from "../../resources/messages/claimProviderMessage.js"
import { clockTolerance } from "../../resources/messages/receiptsByWatermark.js"
import { isSame } from "./mirrorMessage.js"
import { type InboundCapabilities, inboundType, quote } from "./receiveMessage.js"
import { vendorMessage } from "./vendorMessage.js"

/** A message of the past, with its files as rows. */
export interface ImportedMessage extends Omit<PastMessage, "attachments"> {
  readonly files: ReadonlyArray<InboundFile>
}

/** Messages of the past with one customer. The handle is normalised. */
export interface History extends Omit<InboundEvent & { readonly _tag: "History" }, "_tag" | "messages"> {
  readonly messages: ReadonlyArray<ImportedMessage>
}

/** What the rules of an import read. */
export interface HistoryWorld extends ContactAndConversation {
  /** By provider message id, for the messages and those that they quote. */
  readonly known: ReadonlyMap<string, ProviderMessage>
  /** The messages of {@link known}, by id. */
  readonly messages: ReadonlyMap<string, Message>
  /** Messages of the conversation whose sends await their outcome. */
  readonly awaiting: ReadonlyArray<Message>
}

/** Numbers of messages of an import. */
export interface ImportCounts {
  /** New, or completed by their files. */
  readonly imported: number
  /** Stored already. */
  readonly known: number
}

/**
 * Imports messages of the past (docs/reference/content.md#imported-messages): each with the vendor's time as its
 * `createdAt` and the time of its id, so that lists show it at its place. Contact and conversation are created where
 * needed. Nothing is emitted, and nothing starts, reopens or stops. A known provider message id changes nothing, except
 * that files which the vendor sends later complete a message that was stored as `unsupported`. A text that may be a
 * send whose outcome is not recorded is left to that outcome.
 */
export const importMessages = (
  world: HistoryWorld,
  connection: Connection,
  history: History,
  { identity, serviceWindowHours }: Pick<InboundCapabilities, "identity" | "serviceWindowHours">,
  now: Instant,
  ids: Ids
): Either.Either<Decision<ImportCounts>> => {
  const { displayName, handle, opensWindow = false } = history
  const given = new Map(history.messages.map((past) => [past.providerMessageId, past]))
  const completed = [...given.values()].flatMap((past) => completion(world, connection, past, now))
  const fresh = [...given.values()].filter((past) => isNew(world, past))
  const counts = {
    imported: fresh.length + completed.length,
    known: history.messages.length - fresh.length - completed.length
  }
  if (counts.imported === 0) return Either.right({ changes: null, result: counts })
  if (fresh.length === 0)
    return Either.right({ changes: changes(connection.workspaceId, ...completed), result: counts })
  const inbound = fresh.filter(({ direction }) => direction === "inbound")
  const opened = openConversation(
    world,
    {
      connection,
      identity,
      handle,
      direction: "inbound",
      // The name of a known contact does not change, because no event would tell of it.
      displayName: world.contact === undefined ? displayName : null,
      activeAt: latestOf(fresh),
      pastInboundAt: opensWindow ? latestOf(inbound) : 0,
      serviceWindowHours
    },
    now,
    ids
  )
  const freshIds = new Map(fresh.map((past) => [past.providerMessageId, importedId(connection, past)]))
  const stored = fresh.map((past) => {
    const known = world.known.get(past.providerMessageId)
    const message = messageOf(past, quotedOf(world, freshIds, past), connection, opened, now)
    const reached = advanceAll(message, known?.parked ?? []).at(-1)?.message ?? message
    return { files: past.files, known, message: reached, providerMessageId: past.providerMessageId }
  })
  return Either.right({
    changes: changes(
      connection.workspaceId,
      ...opened.parts,
      ...completed,
      ...stored.map(({ known, message, providerMessageId }) =>
        claimProviderMessage(known, message, providerMessageId, now)
      ),
      {
        inserts: stored.map(({ message }) => row("messages", message)),
        ensures: stored.flatMap(({ files, message }) =>
          files.flatMap((file) => attachFile(connection, message, file, now))
        )
      }
    ),
    result: counts
  })
}

const isNew = ({ awaiting, known }: HistoryWorld, past: ImportedMessage): boolean =>
  known.get(past.providerMessageId)?.messageId == null &&
  !(
    past.direction === "outbound" &&
    awaiting.some((message) => past.at >= message.createdAt - clockTolerance && isSame(message, past))
  )

const latestOf = (messages: ReadonlyArray<ImportedMessage>): Instant => Math.max(0, ...messages.map(({ at }) => at))

/** The id of an imported message: the same at each try, with the time of the message. */
const importedId = ({ id }: Connection, { at, providerMessageId }: ImportedMessage): string =>
  derivedIdAt(at, `${id} ${providerMessageId}`)

/** The reference to the quoted message, which may be one of the same import. */
const quotedOf = (
  { conversation, known, messages }: HistoryWorld,
  fresh: ReadonlyMap<string, string>,
  { quoted }: ImportedMessage
): Quoted | null => {
  if (quoted == null) return null
  const messageId = fresh.get(quoted.providerMessageId)
  if (messageId !== undefined) {
    return { messageId, providerMessageId: quoted.providerMessageId, applicationId: null, body: null }
  }
  const message = messages.get(known.get(quoted.providerMessageId)?.messageId ?? "")
  // The writer of a mail chooses what it quotes.
  return quote(message !== undefined && message.conversationId === conversation?.id ? message : undefined, quoted)
}

const messageOf = (
  past: ImportedMessage,
  quoted: Quoted | null,
  connection: Connection,
  { contact, conversation }: OpenedConversation,
  now: Instant
): Message => {
  const { at, body, content = null, direction, files, providerMessageId, status = "sent", subject = null } = past
  const isOutbound = direction === "outbound"
  return {
    ...vendorMessage,
    id: importedId(connection, past),
    workspaceId: connection.workspaceId,
    conversationId: conversation.id,
    contactId: contact.id,
    connectionId: connection.id,
    direction,
    type: inboundType(past),
    status: isOutbound ? status : "delivered",
    body,
    subject,
    attachments: files.map(({ attachment }) => attachment),
    content,
    envelope: envelopeOf(past, quoted),
    error:
      isOutbound && status === "failed"
        ? { code: "provider_error", message: "The provider could not deliver the message." }
        : null,
    providerMessageId,
    createdAt: at,
    sentAt: isOutbound && status !== "failed" ? at : null,
    // Vendors tell the status and not since when.
    receivedAt: now
  }
}

const envelopeOf = (
  { automatic = false, fullText = null, mail = null }: ImportedMessage,
  quoted: Quoted | null
): Envelope | null =>
  !automatic && fullText === null && mail === null && quoted === null
    ? null
    : {
        ...emptyEnvelope,
        mail,
        quoted,
        ...(fullText === null ? {} : { fullText }),
        ...(automatic ? { automatic } : {})
      }

/** The parts that give a message which is stored as `unsupported` its files; none for other messages. */
const completion = (
  { known, messages }: HistoryWorld,
  connection: Connection,
  { body, content = null, files, providerMessageId }: ImportedMessage,
  now: Instant
): ReadonlyArray<Parts> => {
  const messageId = known.get(providerMessageId)?.messageId
  const message = messageId == null ? undefined : messages.get(messageId)
  // A message that the customer deleted has no content.
  if (message?.content?.type !== "unsupported" || files.length === 0) return []
  const { id, version } = message
  const attachments = files.map(({ attachment }) => attachment)
  return [
    {
      expects: [expect("messages", { id }, { version })],
      sets: [set("messages", { id }, { type: inboundType({ content, files }), body, content, attachments })],
      ensures: files.flatMap((file) => attachFile(connection, message, file, now))
    }
  ]
}
