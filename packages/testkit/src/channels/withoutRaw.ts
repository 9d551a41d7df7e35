import type { InboundEvent } from "@parley/core"

/** The events without the vendor's JSON, for tests that compare the rest. */
export const withoutRaw = (events: ReadonlyArray<InboundEvent>): ReadonlyArray<InboundEvent> =>
  events.map((event) => {
    if (event._tag !== "Message" && event._tag !== "Echo") return event
    const { raw: _, ...rest } = event
    return rest
  })
