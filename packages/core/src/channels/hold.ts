import { type Instant, second } from "../Instant.js"
import { expect, type Parts } from "../ports/Changes.js"
import type { Connection } from "./Connection.js"
import { type Held, ownTime } from "./ownTime.js"

/** Holds end at multiples of this, in ms: of the many sends that are throttled together, one writes it down and all others agree. */
const step = second / 10

/**
 * A connection that is held until a moment by the clock, or for longer where it is already. Its own time goes on at `from`
 * then, in which it may be set back: so the slots of the sends that were not taken come again, one by one.
 */
export const hold = (connection: Held, until: Instant, from: Instant, now: Instant): Held => {
  const heldUntil = Math.max(connection.heldUntil, Math.ceil(Math.max(until, now) / step) * step)
  return { heldUntil, heldMs: heldUntil - Math.min(ownTime(connection, now), from) }
}

/** A connection whose own time is set back to a moment, unless it is hardly past it: by at most `tolerance`, in ms. */
export const setBack = (connection: Held, to: Instant, tolerance: number, now: Instant): Held => {
  const late = ownTime(connection, now) - to
  const { heldMs, heldUntil } = connection
  return late > tolerance ? { heldUntil, heldMs: heldMs + late } : { heldUntil, heldMs }
}

/** What makes a connection held so. It leaves the version alone, since who changes its settings does not mind. */
export const holdConnection = (connection: Pick<Connection, "id"> & Held, held: Held): Parts => {
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
