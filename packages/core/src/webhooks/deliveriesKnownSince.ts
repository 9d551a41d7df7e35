import { type Instant, minute } from "../Instant.js"
import type { Retention } from "../worker/Retention.js"

/** How far the clocks of the hosts that purge may be apart, in ms. */
const clocksAgree = minute

/**
 * Since when every delivery of an event is kept (decisions.md §12): an older event may be kept longer than its deliveries
 * are, so that one without a delivery may well have been delivered.
 */
export const deliveriesKnownSince = ({ deliveries }: Pick<Retention, "deliveries">, now: Instant): Instant =>
  now - deliveries + clocksAgree
