import type { Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { expect, type Parts, remove, row, set } from "../../ports/Changes.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"

/** The delivery at the start of its schedule again. Attempt numbers continue (docs/reference/webhooks.md#replay). */
export const restartedDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  status: "pending",
  round: 0,
  completedAt: null,
  version: delivery.version + 1
})

/** Restarts a delivery ({@link restartedDelivery}) with a job that is due now. An existing job stays as it is. */
export const redeliver = (delivery: Delivery, endpoint: Endpoint, now: Instant): Parts => {
  const { id, version } = delivery
  const { completedAt, round, status } = restartedDelivery(delivery)
  return {
    expects: [expect("deliveries", { id }, { version })],
    sets: [set("deliveries", { id }, { status, round, completedAt })],
    ensures: [row("jobs", deliveryJob(delivery, endpoint, now))]
  }
}

/** Replaces an unleased job with a new one of the same id, which wakes idle workers. */
export const replaced = ({ epoch, id, leaseUntil }: Job): Parts => ({
  expects: [expect("jobs", { id }, { epoch, leaseUntil })],
  deletes: [remove("jobs", { id })]
})
