import { Schema } from "effect"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isSubscription } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, type Lane, newJob } from "../../model/Job.js"

/** Payload of a delivery job. With these ids, one read loads everything that the delivery needs. */
const DeliveryPayload = Schema.Struct({ eventId: Schema.String, applicationId: Schema.String })
export type DeliveryPayload = typeof DeliveryPayload.Type

/**
 * The job of a delivery. It has the delivery's id, so a delivery never has two jobs. First attempts are in the lane
 * `deliveries`, retries in the lane `retries`, and all attempts at a subscription in the lane
 * `subscriptions`, until it is deleted.
 */
export const deliveryJob = (delivery: Delivery, endpoint: Pick<Endpoint, "status" | "url">, now: Instant): Job => {
  const payload: DeliveryPayload = { eventId: delivery.eventId, applicationId: delivery.applicationId }
  return newJob({
    id: delivery.id,
    workspaceId: delivery.workspaceId,
    lane: laneOf(delivery, endpoint),
    subject: delivery.endpointId,
    reference: delivery.id,
    payload,
    runAt: now,
    createdAt: now
  })
}

const laneOf = ({ attempts }: Delivery, endpoint: Pick<Endpoint, "status" | "url">): Lane => {
  if (isSubscription(endpoint) && endpoint.status !== "deleted") return "subscriptions"
  return attempts === 0 ? "deliveries" : "retries"
}

const decode = Schema.decodeUnknownSync(DeliveryPayload)

/** Decodes the payload that {@link deliveryJob} wrote; dies for another kind of job. */
export const deliveryPayload = ({ payload }: Job): DeliveryPayload => decode(payload)
