import type { InboundEvent } from "../../model/InboundEvent.js"

/** The content of an unknown event. */
export interface UnknownContent {
  readonly kind: string
  readonly raw: string
}

/** Turns an event that could not be applied into an unknown event: its JSON without file bytes, and the reason. */
export const toUnknownEvent = ({ _tag, ...event }: InboundEvent, problem: string): UnknownContent => ({
  kind: _tag.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase(),
  // The vendor's JSON comes last: of what is too long, the end is cut.
  raw: JSON.stringify({ problem, ...event, raw: "raw" in event ? event.raw : undefined }, (_, value) =>
    value instanceof Uint8Array ? `${value.length} bytes` : value
  )
})
