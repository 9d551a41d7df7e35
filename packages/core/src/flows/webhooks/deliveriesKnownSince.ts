import { type Instant, minute } from "../../model/Instant.js"
import type { Retention } from "../../model/Retention.js"

/** Maximum clock difference between hosts that purge, in ms. */
const clocksAgree = minute

/**
 * Since when all deliveries are retained (docs/reference/webhooks.md#recover). An older event may outlive its purged
 * deliveries, so a missing delivery does not mean that it was never delivered.
 */
export const deliveriesKnownSince = ({ deliveries }: Pick<Retention, "deliveries">, now: Instant): Instant =>
  now - deliveries + clocksAgree
