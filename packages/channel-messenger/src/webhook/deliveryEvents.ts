import { InboundEvent, type Instant } from "@parley/core"
import { fieldsOf, listOf, numberOf, textOf, unknownEvent } from "@parley/provider-kit"
import type { Happening } from "./Happening.js"

/** The receipts of a `delivery`: by message ids if it has them, otherwise for all messages up to a time. */
export const deliveryEvents = (
  value: unknown,
  { at, sender }: Happening,
  now: Instant
): ReadonlyArray<InboundEvent> => {
  const delivery = fieldsOf(fieldsOf(value).delivery)
  const mids = listOf(delivery.mids).flatMap((mid) => textOf(mid) ?? [])
  const watermark = numberOf(delivery.watermark) ?? 0
  if (mids.length > 0) {
    const receipt = { status: "delivered" as const, at: at ?? (watermark > 0 ? watermark : now), error: null }
    return mids.map((mid) => InboundEvent.Receipt({ providerMessageId: mid, messageId: null, receipt }))
  }
  return watermark > 0
    ? [InboundEvent.Watermark({ handle: sender, status: "delivered", upTo: watermark })]
    : [unknownEvent("delivery", value)]
}
