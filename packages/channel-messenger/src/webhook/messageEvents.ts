import { InboundEvent, type Instant, isUuid, type MessageContent } from "@parley/core"
import { type Fields, fieldsOf, idOf, listOf, textOf, unknownEvent } from "@parley/provider-kit"
import { eventId } from "../eventId.js"
import { contentOf } from "./content.js"
import type { Happening } from "./Happening.js"
import { referralOf } from "./referralOf.js"

/** The events of a `message`: a customer's message, or the echo of an outbound one. */
export const messageEvents = (value: unknown, { at, sender }: Happening, now: Instant): ReadonlyArray<InboundEvent> => {
  const message = fieldsOf(fieldsOf(value).message)
  const mid = textOf(message.mid)
  if (mid === null) return [unknownEvent("message", value)]
  if (message.is_echo === true) return [echoEvent(mid, message, value, { sender, at: at ?? now })]
  const written = { from: sender, ...(at === null ? {} : { at }) }
  const said = { ...written, subject: null, displayName: null, attachments: [], automatic: false }
  if (message.is_deleted === true) return [InboundEvent.Message({ ...said, ...deletionOf(mid) })]
  const { unsupported, ...content } = writtenOf(message)
  return [
    InboundEvent.Message({
      ...said,
      ...contextOf(message),
      ...content,
      providerMessageId: mid
    }),
    // For operators: what an attachment of an unknown type has.
    ...(unsupported.length === 0 ? [] : [unknownEvent("message.attachments", value)])
  ]
}

/** The deletion of a message, in either direction. */
const deletionOf = (mid: string) =>
  ({
    providerMessageId: eventId("deletion", mid),
    body: "Message deleted",
    content: { type: "deletion" },
    quoted: { providerMessageId: mid }
  }) as const

/** Text, files and content of a message, in either direction. */
const writtenOf = (message: Fields) => {
  const text = textOf(message.text) ?? ""
  const { body, files, location, order, unsupported } = contentOf(text, listOf(message.attachments))
  const payload = textOf(fieldsOf(message.quick_reply).payload)
  const content: MessageContent | null =
    payload !== null
      ? { type: "choice", id: payload, title: text === "" ? payload : text }
      : (location ?? order) !== null
        ? (location ?? order)
        : text === "" && files.length === 0 && (unsupported.length > 0 || body === "")
          ? { type: "unsupported", kind: unsupported.join(", ") || "message" }
          : null
  return { body: body === "" && content !== null ? readable(content) : body, content, attachments: files, unsupported }
}

/** The quoted message or story, and what brought the customer. */
const contextOf = (message: Fields) => {
  const { mid, story } = fieldsOf(message.reply_to)
  const { id, url } = fieldsOf(story)
  const quoted = textOf(mid)
  const isStory = textOf(id) !== null || textOf(url) !== null
  const referral = isStory
    ? { ...nothing, source: "story", sourceId: textOf(id), url: textOf(url) }
    : referralOf(message.referral)
  return {
    ...(quoted === null ? {} : { quoted: { providerMessageId: quoted } }),
    ...(referral === null ? {} : { referral })
  }
}

const nothing = { clickId: null, headline: null, body: null, ref: null }

const readable = (content: MessageContent): string =>
  content.type === "choice"
    ? content.title
    : content.type === "unsupported"
      ? `Unsupported content: ${content.kind}`
      : ""

/**
 * An echo with Parley's id confirms that the message was sent, also if the answer was lost; another program may set an
 * id of its own. Any other echo is of a message that the business wrote elsewhere, or of one of Parley's own: Instagram
 * has no metadata. An echo with `is_deleted` is the deletion of either. What the business wrote to itself is unknown.
 */
const echoEvent = (mid: string, message: Fields, value: unknown, { at, sender }: EchoTime): InboundEvent => {
  const to = idOf(fieldsOf(fieldsOf(value).recipient).id)
  if (to === null || to === sender) return unknownEvent("message.echo", value)
  if (message.is_deleted === true) return InboundEvent.Echo({ ...deletionOf(mid), to, at, attachments: [] })
  const { attachments, body, content } = writtenOf(message)
  const { quoted = null } = contextOf(message)
  const { metadata } = message
  const own = typeof metadata === "string" && isUuid(metadata) ? { messageId: metadata } : { mayBeOwn: true }
  return InboundEvent.Echo({ providerMessageId: mid, to, at, body, content, quoted, attachments, ...own })
}

type EchoTime = Happening & { readonly at: Instant }
