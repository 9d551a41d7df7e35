import { Schema } from "effect"
import type { Application } from "../../model/Application.js"
import type { Attempt, Delivery } from "../../model/Delivery.js"
import { type Endpoint, isActive, isOfWorkspace } from "../../model/Endpoint.js"
import type { Event, EventType } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, type JobFailure, waitsForKey } from "../../model/Job.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"

/** What a pending delivery without a planned attempt waits for. */
export const WaitingFor = Schema.Literal(
  "endpoint_enabled",
  "application_active",
  "scope_granted",
  "job_retried",
  "secret_key",
  "earlier_delivery"
)
export type WaitingFor = typeof WaitingFor.Type

/** A delivery with its next attempt. */
export interface KnownDelivery {
  readonly delivery: Delivery
  /** Null once the event is purged. */
  readonly eventType: EventType | null
  /** When the next attempt is due, or the running one was due; null if none is planned. */
  readonly nextAttemptAt: Instant | null
  /** Null if it waits for its next attempt only. */
  readonly waitingFor: WaitingFor | null
  /** Why its job is parked or waits, if it waits for `job_retried` or `secret_key`; else null. */
  readonly failure: JobFailure | null
}

/** A delivery with all retained attempts, in no particular order. */
export interface AttemptedDelivery extends KnownDelivery {
  readonly attempts: ReadonlyArray<Attempt>
}

/** The rows that decide the state of a delivery. */
export interface DeliveryContext {
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly job: Job | undefined
}

/** Derives the next attempt of a delivery from the current rows. */
export const knownDelivery = (delivery: Delivery, deliveryContext: DeliveryContext): KnownDelivery => {
  const waits = delivery.status === "pending" ? waitingFor(delivery, deliveryContext) : null
  const { event, job } = deliveryContext
  const planned = delivery.status === "pending" && waits === null && job?.lane !== "parked"
  return {
    delivery,
    eventType: event?.type ?? null,
    nextAttemptAt: planned ? (job?.runAt ?? null) : null,
    waitingFor: waits,
    failure: waits === "job_retried" || waits === "secret_key" ? (job?.failure ?? null) : null
  }
}

const awaitedKey = { scope_missing: "scope_granted", application_suspended: "application_active" } as const

const waitingFor = (
  { orderState }: Delivery,
  { application, endpoint, event, job }: DeliveryContext
): WaitingFor | null => {
  if (endpoint === undefined || endpoint.status === "deleted") return null
  if (!isActive(endpoint) && event?.type !== "webhook.test") return "endpoint_enabled"
  if (!isOfWorkspace(endpoint)) {
    if (application === undefined) return "application_active"
    const why = webhookBlocker(application)
    if (why !== null) return awaitedKey[why]
  }
  if (job?.lane === "parked") return "job_retried"
  if (job !== undefined && waitsForKey(job)) return "secret_key"
  return orderState === "waiting" ? "earlier_delivery" : null
}
