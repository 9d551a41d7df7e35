import { InboundEvent, type Instant, isUuid } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { contentOf } from "./content.js"
import type { Happening } from "./Happening.js"

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

/** The events of a `message`: a customer's message, or the echo of an outbound one. */
export const messageEvents = (value: unknown, { at, sender }: Happening, now: Instant): ReadonlyArray<InboundEvent> => {
  const { message } = Option.getOrElse(readMessage(value), () => ({ message: null }))
  if (message === null) return [unknownEvent("message", value)]
  if (message.is_echo === true) return [echoEvent(message, value, at ?? now)]
  if (message.is_deleted === true) return [unknownEvent("message.deleted", value)]
  const { body, files, others } = contentOf(message.text ?? "", message.attachments ?? [])
  if (body === "" && files.length === 0) {
    return [unknownEvent(message.is_unsupported === true ? "message.unsupported" : "message", value)]
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
  return others ? [said, unknownEvent("message.attachments", value)] : [said]
}

/**
 * An echo with Parley's id confirms that the message was sent, also if the answer was lost. Any other echo belongs to a
 * message sent by another app.
 */
const echoEvent = ({ metadata, mid }: Message, value: unknown, at: Instant): InboundEvent =>
  metadata !== undefined && isUuid(metadata)
    ? InboundEvent.Receipt({
        providerMessageId: mid,
        messageId: metadata,
        receipt: { status: "sent", at, error: null }
      })
    : unknownEvent("message.echo", value)
