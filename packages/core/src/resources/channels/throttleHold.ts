import type { Connection } from "../../model/Connection.js"
import { type Instant, second } from "../../model/Instant.js"
import { expect, type Parts } from "../../ports/Changes.js"
import { type HoldState, virtualTime } from "./virtualTime.js"

/**
 * Holds end at multiples of this, in ms. Of many sends that are throttled together, one writes the hold and the others
 * agree with it.
 */
const step = second / 10

/**
 * The hold of a connection until `until` (clock time), or until the end of an existing hold that is longer. After it
 * the virtual time continues at `from`, or at its present value if that is earlier, so that the slots of throttled
 * sends are used again in order (docs/reference/sends.md#holds).
 */
export const throttleHold = (connection: HoldState, until: Instant, from: Instant, now: Instant): HoldState => {
  const heldUntil = Math.max(connection.heldUntil, Math.ceil(Math.max(until, now) / step) * step)
  return { heldUntil, heldMs: heldUntil - Math.min(virtualTime(connection, now), from) }
}

/** Changes that record a hold. No version bump, so concurrent settings edits do not conflict. */
export const recordHold = (connection: Pick<Connection, "id"> & HoldState, held: HoldState): Parts => {
  const { heldMs, heldUntil, id } = connection
  if (held.heldUntil === heldUntil && held.heldMs === heldMs) return {}
  return {
    expects: [expect("connections", { id }, { heldUntil, heldMs })],
    bumps: [
      {
        table: "connections",
        id,
        greatest: { heldUntil: held.heldUntil },
        add: { heldMs: held.heldMs - heldMs }
      }
    ]
  }
}

/**
 * Changes that set a connection's virtual time back to `to` (docs/reference/sends.md#missed-slots). Concurrent ones do
 * not conflict: the earliest time wins.
 */
export const rewindVirtualTime = (
  { heldUntil, id }: Pick<Connection, "id"> & HoldState,
  to: Instant,
  now: Instant
): Parts => ({
  expects: [expect("connections", { id })],
  bumps: [{ table: "connections", id, greatest: { heldMs: Math.max(now, heldUntil) - to } }]
})
