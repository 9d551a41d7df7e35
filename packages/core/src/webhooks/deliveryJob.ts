import type { Instant } from "../Instant.js"
import { type Job, newJob } from "../worker/Job.js"
import type { Delivery } from "./Delivery.js"

/** What the job of a delivery knows besides the delivery's id. */
export interface DeliveryPayload {
  readonly eventId: string
  readonly applicationId: string
  /** Tried a single time: a test. */
  readonly once: boolean
}

/**
 * The job that brings a delivery to its endpoint. It has the delivery's id, so that a delivery never has two, and belongs to
 * the lane of first attempts or to that of retries.
 */
export const deliveryJob = (delivery: Delivery, now: Instant, once = false): Job => {
  const payload: DeliveryPayload = { eventId: delivery.eventId, applicationId: delivery.applicationId, once }
  return newJob({
    id: delivery.id,
    workspaceId: delivery.workspaceId,
    lane: delivery.attempts === 0 ? "deliveries" : "retries",
    subject: delivery.endpointId,
    reference: delivery.id,
    payload: { ...payload },
    runAt: now,
    createdAt: now
  })
}

/** What {@link deliveryJob} put into a job. */
export const deliveryPayload = (job: Job): DeliveryPayload => job.payload as unknown as DeliveryPayload
