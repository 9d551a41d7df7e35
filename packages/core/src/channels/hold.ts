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

/**
 * What sets a connection's own time back to a moment. Of several that do so at once the earliest counts, so that none
 * conflicts with another.
 */
export const setBack = ({ heldUntil, id }: Pick<Connection, "id"> & Held, to: Instant, now: Instant): Parts => ({
  expects: [expect("connections", { id })],
  bumps: [{ table: "connections", id, greatest: { heldMs: Math.max(now, heldUntil) - to } }]
})
