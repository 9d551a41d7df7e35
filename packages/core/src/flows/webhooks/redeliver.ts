import type { Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { expect, type Parts, remove, row, set } from "../../ports/Changes.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"

/**
 * The delivery at the start of its schedule again, with a place in the order of this key. Attempt numbers continue
 * (docs/reference/webhooks.md#replay).
 */
export const restartedDelivery = (delivery: Delivery, orderKey: string | null): Delivery => ({
  ...delivery,
  status: "pending",
  round: 0,
  completedAt: null,
  orderKey,
  orderState: orderKey === null ? null : (delivery.orderState ?? "open"),
  version: delivery.version + 1
})

/** Restarts a delivery ({@link restartedDelivery}) with a job that is due now. An existing job stays as it is. */
export const redeliver = (delivery: Delivery, orderKey: string | null, endpoint: Endpoint, now: Instant): Parts => {
  const { id, version } = delivery
  const restarted = restartedDelivery(delivery, orderKey)
  const { completedAt, orderState, round, status } = restarted
  const order = orderKey === delivery.orderKey ? {} : { orderKey, orderState }
  return {
    expects: [expect("deliveries", { id }, { version })],
    sets: [set("deliveries", { id }, { status, round, completedAt, ...order })],
    ensures: [row("jobs", deliveryJob(delivery, endpoint, now))]
  }
}

/** Replaces an unleased job with a new one of the same id, which wakes idle workers. */
export const replaced = ({ epoch, id, leaseUntil }: Job): Parts => ({
  expects: [expect("jobs", { id }, { epoch, leaseUntil })],
  deletes: [remove("jobs", { id })]
})
