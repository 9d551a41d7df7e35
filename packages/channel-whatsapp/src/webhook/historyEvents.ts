import { InboundEvent, type Instant, type PastMessage } from "@parley/core"
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf, unknownEvent } from "@parley/provider-kit"
import { contentOf } from "./content.js"
import { contextOf } from "./context.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

/** What the business shares of its chats of the WhatsApp Business app: chunks, or files of messages in them. */
interface SharedHistory {
  readonly history: ReadonlyArray<unknown>
  readonly messages: ReadonlyArray<unknown>
  /** The business's number, as Meta displays it. */
  readonly displayNumber: unknown
}

/** The events of a change of the field `history` (docs/reference/whatsapp.md#history). */
export const historyEvents = (
  { displayNumber, history, messages }: SharedHistory,
  now: Instant
): ReadonlyArray<InboundEvent> => [
  ...history.flatMap((chunk) => chunkEvents(fieldsOf(chunk), now)),
  ...messages.map((message) => fileEvent(message, digitsOf(displayNumber)))
]

/** A chunk: threads with their messages, or the reason why WhatsApp sends nothing. */
const chunkEvents = (chunk: Fields, now: Instant): ReadonlyArray<InboundEvent> => {
  const threads = listOf(chunk.threads).flatMap(threadEvents)
  const errors = listOf(chunk.errors).map((error) =>
    InboundEvent.AccountNotice({ message: problemOf(numberOf(fieldsOf(error).code)), at: now })
  )
  const { progress } = fieldsOf(chunk.metadata)
  return progress === 100
    ? [...threads, ...errors, InboundEvent.AccountNotice({ message: complete, at: latestOf(threads) ?? now })]
    : [...threads, ...errors]
}

const complete = "WhatsApp has sent the whole chat history that the business shares."

/** Meta's error if the business did not agree to share its chats. */
const declined = 2593109

const problemOf = (code: number | null): string =>
  code === declined
    ? "WhatsApp sends no chat history: the business does not share it. It is switched on in the WhatsApp Business app when the number is connected."
    : `WhatsApp could not send the chat history: error ${code ?? "without a code"}.`

/** The time of the latest message, so that a repeated chunk repeats its notice. */
const latestOf = (events: ReadonlyArray<InboundEvent>): Instant | null => {
  const times = events.flatMap((event) => (event._tag === "History" ? event.messages.map(({ at }) => at) : []))
  return times.length === 0 ? null : Math.max(...times)
}

/** The chat with one customer, who is named by the thread's id. */
const threadEvents = (value: unknown): ReadonlyArray<InboundEvent> => {
  const thread = fieldsOf(value)
  const customer = idOf(thread.id)
  const handle = handleOf(thread.id, null)
  if (customer === null || handle === null) return [unknownEvent("history.thread", value)]
  const messages: Array<PastMessage> = []
  const unknown: Array<InboundEvent> = []
  for (const one of listOf(thread.messages)) {
    const fields = fieldsOf(one)
    const isInbound =
      fieldsOf(fields.history_context).from_me !== true && (idOf(fields.from) ?? idOf(fields.from_user_id)) === customer
    const past = pastMessage(fields, isInbound ? "inbound" : "outbound")
    if (past === null) unknown.push(unknownEvent("history.message", one))
    else messages.push(past)
  }
  return messages.length === 0 ? unknown : [historyOf(handle, messages), ...unknown]
}

const historyOf = (handle: string, messages: ReadonlyArray<PastMessage>): InboundEvent =>
  InboundEvent.History({ handle, displayName: null, messages })

/** The file of a message of a chunk, which Meta sends apart, with the id of that message. */
const fileEvent = (value: unknown, ownNumber: string): InboundEvent => {
  const fields = fieldsOf(value)
  const isInbound = idOf(fields.to) === null && digitsOf(fields.from) !== ownNumber
  const handle = isInbound ? handleOf(fields.from, fields.from_user_id) : handleOf(fields.to, fields.to_user_id)
  const past = pastMessage(fields, isInbound ? "inbound" : "outbound")
  return handle === null || past === null ? unknownEvent("history.message", value) : historyOf(handle, [past])
}

/** Types that change another message, or say nothing to the customer. */
const notMessages: ReadonlySet<unknown> = new Set(["revoke", "edit", "system"])

/** A file that Meta sends later, if the message is not older than 14 days. */
const placeholder = "media_placeholder"

/** A message of the past; null if it cannot be read, or belongs to a group. */
const pastMessage = (fields: Fields, direction: PastMessage["direction"]): PastMessage | null => {
  const providerMessageId = textOf(fields.id)
  const at = instantOf(fields.timestamp)
  const { group_id, history_context, type } = fields
  const isMessage = typeof type === "string" && !notMessages.has(type) && idOf(group_id) === null
  if (providerMessageId === null || at === null || !isMessage) return null
  const { attachments, body, content, quoted } = { ...contextOf(fields), ...contentOf(type, fields) }
  return {
    providerMessageId,
    direction,
    at,
    status: statusOf(fieldsOf(history_context).status),
    body: type === placeholder ? "A file that WhatsApp has not sent" : body,
    content: content ?? null,
    quoted: quoted ?? null,
    attachments: attachments.flatMap((file) =>
      file.content instanceof Uint8Array ? [] : [{ ...file, content: file.content }]
    )
  }
}

/** The status of a message of the business. One that is pending is with WhatsApp. */
const statusOf = (status: unknown): NonNullable<PastMessage["status"]> =>
  statuses.get(String(status).toLowerCase()) ?? "sent"

const statuses: ReadonlyMap<string, NonNullable<PastMessage["status"]>> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"],
  ["error", "failed"]
])

const digitsOf = (number: unknown): string => String(number ?? "").replace(/\D/g, "")
