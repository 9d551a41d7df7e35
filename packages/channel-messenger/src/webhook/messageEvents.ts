import { InboundEvent, type Instant, isUuid } from "@parley/core"
import { Option, Schema } from "effect"
import { contentOf } from "./content.js"
import type { Happening } from "./Happening.js"
import { unknown } from "./unknown.js"

const flag = Schema.optional(Schema.Boolean)
const readMessage = Schema.decodeUnknownOption(
  Schema.Struct({
    message: Schema.Struct({
      mid: Schema.NonEmptyString,
      text: Schema.optional(Schema.String),
      attachments: Schema.optional(Schema.Array(Schema.Unknown)),
      metadata: Schema.optional(Schema.String),
      is_echo: flag,
      is_deleted: flag,
      is_unsupported: flag
    })
  })
)

type Message = Option.Option.Value<ReturnType<typeof readMessage>>["message"]

/** What a `message` tells: a customer's word, or the echo of one of the business's own. */
export const messageEvents = (value: unknown, { at, sender }: Happening, now: Instant): ReadonlyArray<InboundEvent> => {
  const { message } = Option.getOrElse(readMessage(value), () => ({ message: null }))
  if (message === null) return [unknown("message", value)]
  if (message.is_echo === true) return [echoEvent(message, value, at ?? now)]
  if (message.is_deleted === true) return [unknown("message.deleted", value)]
  const { body, files, others } = contentOf(message.text ?? "", message.attachments ?? [])
  if (body === "" && files.length === 0) {
    return [unknown(message.is_unsupported === true ? "message.unsupported" : "message", value)]
  }
  const said = InboundEvent.Message({
    providerMessageId: message.mid,
    from: sender,
    body,
    subject: null,
    displayName: null,
    attachments: files,
    automatic: false
  })
  return others ? [said, unknown("message.attachments", value)] : [said]
}

/**
 * An echo with the id that we sent along says that our message went out, though its answer may have been lost. Every other one is of
 * a message that somebody sent elsewhere.
 */
const echoEvent = ({ metadata, mid }: Message, value: unknown, at: Instant): InboundEvent =>
  metadata !== undefined && isUuid(metadata)
    ? InboundEvent.Receipt({
        providerMessageId: mid,
        messageId: metadata,
        receipt: { status: "sent", at, error: null }
      })
    : unknown("message.echo", value)
