import { InboundEvent, type Instant } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import type { Happening } from "./Happening.js"

const readDelivery = Schema.decodeUnknownOption(
  Schema.Struct({
    delivery: Schema.Struct({
      mids: Schema.optional(Schema.Array(Schema.NonEmptyString)),
      watermark: Schema.optional(Schema.Positive)
    })
  })
)

/** The receipts of a `delivery`: by message ids if it has them, otherwise for all messages up to a time. */
export const deliveryEvents = (
  value: unknown,
  { at, sender }: Happening,
  now: Instant
): ReadonlyArray<InboundEvent> => {
  const { mids = [], watermark } = Option.getOrElse(readDelivery(value), () => ({ delivery: nothing })).delivery
  if (mids.length > 0) {
    const receipt = { status: "delivered" as const, at: at ?? watermark ?? now, error: null }
    return mids.map((mid) => InboundEvent.Receipt({ providerMessageId: mid, messageId: null, receipt }))
  }
  return watermark === undefined
    ? [unknownEvent("delivery", value)]
    : [InboundEvent.Watermark({ handle: sender, status: "delivered", upTo: watermark })]
}

const nothing: Option.Option.Value<ReturnType<typeof readDelivery>>["delivery"] = {}
