import { Schema } from "effect"
import { given } from "../../kernel/input/Patch.js"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isSubscription } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, type Lane, newJob, unsettledClaims } from "../../model/Job.js"

/** Payload of a delivery job. With these ids, one read loads everything that the delivery needs. */
const DeliveryPayload = Schema.Struct({
  eventId: Schema.String,
  applicationId: Schema.String,
  /** See {@link unsettledClaims}. Absent for webhooks, and in jobs of earlier versions. */
  settled: given(Schema.Number)
})
export type DeliveryPayload = typeof DeliveryPayload.Type

/**
 * The job of a delivery. It has the delivery's id, so a delivery never has two jobs. First attempts are in the lane
 * `deliveries`, retries in the lane `retries`, and all attempts at a subscription in the lane
 * `subscriptions`, until it is deleted.
 */
export const deliveryJob = (delivery: Delivery, endpoint: Pick<Endpoint, "status" | "url">, now: Instant): Job => {
  const lane = laneOf(delivery, endpoint)
  const ids: DeliveryPayload = { eventId: delivery.eventId, applicationId: delivery.applicationId }
  const payload: DeliveryPayload = lane === "subscriptions" ? { ...ids, settled: 0 } : ids
  return newJob({
    id: delivery.id,
    workspaceId: delivery.workspaceId,
    lane,
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

/** The payload of a job at a subscription after a settle. */
export const settledPayload = (job: Job): Job["payload"] => ({ ...job.payload, settled: job.attempts })

/**
 * Whether a job at a subscription has {@link unsettledClaims} beside the present one: a process may have ended while
 * the function handled the event. Unknown for jobs of earlier versions.
 */
export const hasLostClaim = (job: Job): boolean => {
  const { settled } = deliveryPayload(job)
  return settled !== undefined && unsettledClaims(job, settled) > 1
}
