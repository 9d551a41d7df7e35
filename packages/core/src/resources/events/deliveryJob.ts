import { Schema } from "effect"
import type { Delivery } from "../../model/Delivery.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"

/** Payload of a delivery job. With these ids, one read loads everything that the delivery needs. */
const DeliveryPayload = Schema.Struct({ eventId: Schema.String, applicationId: Schema.String })
export type DeliveryPayload = typeof DeliveryPayload.Type

/**
 * The job of a delivery. It has the delivery's id, so a delivery never has two jobs. First attempts are in the lane
 * `deliveries`, retries in the lane `retries`.
 */
export const deliveryJob = (delivery: Delivery, now: Instant): Job => {
  const payload: DeliveryPayload = { eventId: delivery.eventId, applicationId: delivery.applicationId }
  return newJob({
    id: delivery.id,
    workspaceId: delivery.workspaceId,
    lane: delivery.attempts === 0 ? "deliveries" : "retries",
    subject: delivery.endpointId,
    reference: delivery.id,
    payload,
    runAt: now,
    createdAt: now
  })
}

const decode = Schema.decodeUnknownSync(DeliveryPayload)

/** Decodes the payload that {@link deliveryJob} wrote; dies for another kind of job. */
export const deliveryPayload = ({ payload }: Job): DeliveryPayload => decode(payload)
