import type { InboundEvent } from "../../model/InboundEvent.js"

/** The content of an unknown event. */
export interface UnknownContent {
  readonly kind: string
  readonly raw: string
}

/**
 * Turns an event that could not be applied into an unknown event: its JSON without file bytes, and the reason. Never
 * throws, even for a value that is no event, so that the other events of the request are applied.
 */
export const toUnknownEvent = (given: InboundEvent, problem: string): UnknownContent => {
  const { _tag, ...event } = Object(given) as InboundEvent
  return {
    kind: String(_tag)
      .replace(/(?!^)[A-Z]/g, "_$&")
      .toLowerCase(),
    // The vendor's JSON comes last: of what is too long, the end is cut.
    raw: jsonOf({ problem, ...event, raw: "raw" in event ? event.raw : undefined })
  }
}

const jsonOf = (value: { readonly problem: string; readonly raw: unknown }): string => {
  try {
    return JSON.stringify(value, (_, inner) => (inner instanceof Uint8Array ? `${inner.length} bytes` : inner))
  } catch {
    return JSON.stringify({ problem: value.problem })
  }
}
