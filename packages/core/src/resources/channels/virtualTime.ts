import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"

/** The end of a connection's throttle hold, and the total time it was held, in ms. */
export type HoldState = Pick<Connection, "heldUntil" | "heldMs">

/**
 * The virtual time of a connection (docs/reference/sends.md#virtual-time-of-a-connection): it runs with the clock and
 * stands still during a throttle hold. Slots are in virtual time, so waiting messages keep their order and distances
 * after a hold without a rewrite.
 */
export const virtualTime = ({ heldMs, heldUntil }: HoldState, now: Instant): Instant =>
  Math.max(now, heldUntil) - heldMs

/** The clock time at which the virtual time reaches `own`, if there is no further hold. */
export const clockTime = ({ heldMs, heldUntil }: HoldState, own: Instant): Instant => Math.max(own + heldMs, heldUntil)
