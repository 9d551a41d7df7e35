import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import type { Happening } from "./Happening.js"

const readPostback = Schema.decodeUnknownOption(
  Schema.Struct({
    postback: Schema.Struct({
      mid: Schema.optional(Schema.NonEmptyString),
      title: Schema.optional(Schema.String),
      payload: Schema.optional(Schema.String)
    })
  })
)

/** The events of a `postback`: the label of a button that a customer pressed. */
export const postbackEvents = (value: unknown, { at, sender }: Happening): ReadonlyArray<InboundEvent> => {
  const { postback } = Option.getOrElse(readPostback(value), () => ({ postback: null }))
  const body = postback?.title ?? postback?.payload ?? ""
  // Without an id, the customer and the time identify the event.
  const id = postback?.mid ?? (at === null ? null : `postback.${sender}.${at}`)
  if (body === "" || id === null) return [unknownEvent("postback", value)]
  const said = { from: sender, body, subject: null, displayName: null, attachments: [], automatic: false }
  return [InboundEvent.Message({ ...said, providerMessageId: id })]
}
