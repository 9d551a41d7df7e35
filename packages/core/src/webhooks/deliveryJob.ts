import { Schema } from "effect"
import type { Instant } from "../Instant.js"
import { type Job, newJob } from "../worker/Job.js"
import type { Delivery } from "./Delivery.js"

/** What the job of a delivery knows besides the delivery's id, so that all it needs is read at once. */
const DeliveryPayload = Schema.Struct({ eventId: Schema.String, applicationId: Schema.String })
export type DeliveryPayload = typeof DeliveryPayload.Type

/**
 * The job that brings a delivery to its endpoint. It has the delivery's id, so that a delivery never has two, and belongs to
 * the lane of first attempts or to that of retries.
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

/** What {@link deliveryJob} put into a job; a defect where it is none of a delivery. */
export const deliveryPayload = ({ payload }: Job): DeliveryPayload => decode(payload)
