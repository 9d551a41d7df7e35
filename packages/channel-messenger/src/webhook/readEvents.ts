import { InboundEvent, type Instant } from "@parley/core"
import { fieldsOf, numberOf, textOf, unknownEvent } from "@parley/provider-kit"
import type { Happening } from "./Happening.js"

/** The receipts of a `read`: for a message id (Instagram), or for all messages up to a time (Messenger). */
export const readEvents = (value: unknown, { at, sender }: Happening, now: Instant): ReadonlyArray<InboundEvent> => {
  const read = fieldsOf(fieldsOf(value).read)
  const mid = textOf(read.mid)
  const watermark = numberOf(read.watermark) ?? 0
  if (mid !== null) {
    const receipt = { status: "read" as const, at: at ?? now, error: null }
    return [InboundEvent.Receipt({ providerMessageId: mid, messageId: null, receipt })]
  }
  return watermark > 0
    ? [InboundEvent.Watermark({ handle: sender, status: "read", upTo: watermark })]
    : [unknownEvent("read", value)]
}
