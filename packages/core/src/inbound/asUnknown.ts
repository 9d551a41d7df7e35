import type { InboundEvent } from "./InboundEvent.js"

/** Something for the log of unknown events. */
export interface UnknownContent {
  readonly kind: string
  readonly raw: string
}

/** An event that could not be carried out, as it is kept for somebody to look at: all of it but the bytes of files, and why. */
export const asUnknown = ({ _tag, ...event }: InboundEvent, problem: string): UnknownContent => ({
  kind: _tag.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase(),
  raw: JSON.stringify({ problem, ...event }, (_, value) =>
    value instanceof Uint8Array ? `${value.length} bytes` : value
  )
})
