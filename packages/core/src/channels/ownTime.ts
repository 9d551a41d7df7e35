import type { Instant } from "../Instant.js"
import type { Connection } from "./Connection.js"

/** Until when a provider holds a connection, and how long it did in all. */
export type Held = Pick<Connection, "heldUntil" | "heldMs">

/**
 * A connection's own time: it goes as the clock does, and stands still while the provider holds the connection. The slots of its
 * sends are in it, so that what waits keeps its order and its distances behind a hold, and nothing is to be rewritten for it.
 */
export const ownTime = ({ heldMs, heldUntil }: Held, now: Instant): Instant => Math.max(now, heldUntil) - heldMs

/** When its own time gets there by the clock, if it is not held again. */
export const clockTime = ({ heldMs, heldUntil }: Held, own: Instant): Instant => Math.max(own + heldMs, heldUntil)
