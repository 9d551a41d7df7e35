import type { Application } from "../../model/Application.js"
import type { Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Event, EventType } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import { type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type Lookup, lookup } from "../../ports/Storage.js"
import { deliveryJob } from "./deliveryJob.js"
import { isSubscribed, receiverOf } from "./isSubscribed.js"
import { orderKey } from "./orderKey.js"

/** The possible receivers of an event: all endpoints and applications of a workspace. */
export interface Subscribers {
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly applications: ReadonlyArray<Application>
}

/** The lookups that load {@link Subscribers}. */
export const subscriberLookups = (
  workspaceId: string
): { readonly endpoints: Lookup<"endpoints">; readonly applications: Lookup<"applications"> } => ({
  endpoints: lookup("endpoints", { workspaceId }),
  applications: lookup("applications", { workspaceId })
})

/** An event before it has an id. */
export interface NewEvent {
  readonly workspaceId: string
  readonly type: EventType
  readonly applicationId: string | null
  readonly connectionId: string | null
  readonly subjectId: string
  /** Absent: the webhook body has no such field. */
  readonly externalReference?: string | null
  /** In wire shape. */
  readonly data: { readonly [key: string]: unknown }
  /** Default: null. */
  readonly raw?: string | null
}

/**
 * The rows of an event: the event itself, and a delivery with its job for each endpoint that receives it. `id`: of the
 * event, if it must precede events that were made before. Default: the next one.
 */
export const emit = (
  subscribers: Subscribers,
  event: NewEvent,
  now: Instant,
  ids: Ids,
  id: string = ids.next(now)
): ReadonlyArray<RowOf<"events" | "deliveries" | "jobs">> => {
  const stored: Event = {
    id,
    workspaceId: event.workspaceId,
    type: event.type,
    applicationId: event.applicationId,
    connectionId: event.connectionId,
    subjectId: event.subjectId,
    hasExternalReference: event.externalReference !== undefined,
    externalReference: event.externalReference ?? null,
    data: JSON.stringify(event.data),
    raw: event.raw ?? null,
    createdAt: now
  }
  const rows: Array<RowOf<"events" | "deliveries" | "jobs">> = [row("events", stored)]
  for (const endpoint of subscribers.endpoints) {
    const application = receiverOf(endpoint, subscribers.applications)
    if (application !== undefined && isSubscribed(endpoint, application, event)) {
      rows.push(...newDelivery(ids.next(now), stored, endpoint, now))
    }
  }
  return rows
}

/** A pending delivery of an event to one endpoint, and its job. */
export const newDelivery = (
  id: string,
  event: Event,
  endpoint: Endpoint,
  now: Instant
): readonly [delivery: RowOf<"deliveries">, job: RowOf<"jobs">] => {
  const key = orderKey(endpoint, event)
  const delivery: Delivery = {
    id,
    workspaceId: event.workspaceId,
    applicationId: endpoint.applicationId,
    endpointId: endpoint.id,
    eventId: event.id,
    status: "pending",
    attempts: 0,
    round: 0,
    createdAt: now,
    completedAt: null,
    orderKey: key,
    orderState: key === null ? null : "open",
    version: 1
  }
  return [row("deliveries", delivery), row("jobs", deliveryJob(delivery, endpoint, now))]
}
