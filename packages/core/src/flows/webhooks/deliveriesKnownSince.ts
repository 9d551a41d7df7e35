import { Clock, Effect } from "effect"
import { type Instant, minute } from "../../model/Instant.js"
import type { Retention } from "../../model/Retention.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import { deliveriesPurgedBefore } from "./purgedDeliveries.js"

/** Maximum clock difference between hosts that purge, in ms. */
const clocksAgree = minute

/**
 * Since when all deliveries that were read before are retained (docs/reference/webhooks.md#recover): by this host's
 * setting, and by what hosts with another one have purged. An older event may outlive its purged deliveries, so a
 * missing delivery does not mean that it was never delivered.
 */
export const deliveriesKnownSince = (
  storage: Pick<Storage, "read">,
  { deliveries }: Pick<Retention, "deliveries">
): Effect.Effect<Instant, ReadError> =>
  Effect.gen(function* () {
    const purgedBefore = yield* deliveriesPurgedBefore(storage)
    return Math.max(purgedBefore, (yield* Clock.currentTimeMillis) - deliveries + clocksAgree)
  })
