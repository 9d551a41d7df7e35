import { Schema } from "effect"
import type { Application } from "../access/Application.js"
import type { Event, EventType } from "../events/Event.js"
import type { Instant } from "../Instant.js"
import type { Job } from "../worker/Job.js"
import type { Attempt, Delivery } from "./Delivery.js"
import { type Endpoint, isActive } from "./Endpoint.js"
import { whyNotSent } from "./whyNotSent.js"

/** What a delivery that is not tried waits for. */
export const WaitingFor = Schema.Literal("endpoint_enabled", "application_active", "scope_granted")
export type WaitingFor = typeof WaitingFor.Type

/** A delivery, and what becomes of it. */
export interface KnownDelivery {
  readonly delivery: Delivery
  /** Null once the event is purged. */
  readonly eventType: EventType | null
  /** When it is tried next, or was due for the attempt that is under way; null where nothing is planned. */
  readonly nextAttemptAt: Instant | null
  /** Null where it waits for nothing but its time. */
  readonly waitingFor: WaitingFor | null
}

/** A delivery with every attempt that is kept, in no particular order. */
export interface AttemptedDelivery extends KnownDelivery {
  readonly attempts: ReadonlyArray<Attempt>
}

/** All that tells what becomes of a delivery. */
export interface DeliverySurroundings {
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly job: Job | undefined
}

/** What becomes of a delivery, as things are now. */
export const knownDelivery = (delivery: Delivery, surroundings: DeliverySurroundings): KnownDelivery => {
  const waits = delivery.status === "pending" ? waitingFor(surroundings) : null
  const planned = delivery.status === "pending" && waits === null
  return {
    delivery,
    eventType: surroundings.event?.type ?? null,
    nextAttemptAt: planned ? (surroundings.job?.runAt ?? null) : null,
    waitingFor: waits
  }
}

const awaited = { scope_missing: "scope_granted", application_suspended: "application_active" } as const

const waitingFor = ({ application, endpoint, event }: DeliverySurroundings): WaitingFor | null => {
  if (endpoint === undefined || endpoint.status === "deleted") return null
  if (!isActive(endpoint) && event?.type !== "webhook.test") return "endpoint_enabled"
  if (application === undefined) return "application_active"
  const why = whyNotSent(application)
  return why && awaited[why]
}
