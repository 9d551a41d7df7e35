import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Delivery } from "./Delivery.js"
import { deliveryJob } from "./deliveryJob.js"

/** A delivery that waits from the start of the schedule again, its attempts counted on (decisions.md §12, Replay). */
export const anew = (delivery: Delivery): Delivery => ({
  ...delivery,
  status: "pending",
  round: 0,
  completedAt: null,
  version: delivery.version + 1
})

/** What makes a delivery go out {@link anew}, now. A job that it has stays as it is. */
export const deliverAnew = (delivery: Delivery, now: Instant): Parts => {
  const { id, version } = delivery
  const { completedAt, round, status } = anew(delivery)
  return {
    expects: [expect("deliveries", { id }, { version })],
    sets: [set("deliveries", { id }, { status, round, completedAt })],
    ensures: [row("jobs", deliveryJob(delivery, now))]
  }
}
