import { type InboundEvent, rawJson } from "@parley/core"

/** The events with the vendor's JSON of the message that they are about: those of messages and echoes keep it. */
export const withRaw = (value: unknown, events: ReadonlyArray<InboundEvent>): ReadonlyArray<InboundEvent> =>
  events.map((event) => (event._tag === "Message" || event._tag === "Echo" ? { ...event, raw: rawJson(value) } : event))
