import type { Application } from "../access/Application.js"
import type { Instant } from "../Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type Lookup, lookup } from "../ports/Storage.js"
import type { Delivery } from "../webhooks/Delivery.js"
import { deliveryJob } from "../webhooks/deliveryJob.js"
import type { Endpoint } from "../webhooks/Endpoint.js"
import type { Event, EventType } from "./Event.js"
import { hears } from "./hears.js"

/** Who may be told: every endpoint of a workspace and the applications that own them. */
export interface Subscribers {
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly applications: ReadonlyArray<Application>
}

/** The lookups whose rows are the {@link Subscribers} of a workspace. */
export const subscriberLookups = (
  workspaceId: string
): { readonly endpoints: Lookup<"endpoints">; readonly applications: Lookup<"applications"> } => ({
  endpoints: lookup("endpoints", { workspaceId }),
  applications: lookup("applications", { workspaceId })
})

/** Something that happened, before it has an id. */
export interface NewEvent {
  readonly workspaceId: string
  readonly type: EventType
  readonly applicationId: string | null
  readonly connectionId: string | null
  readonly subjectId: string
  /** Absent: the webhook's body has no such field. */
  readonly externalReference?: string | null
  /** In wire shape. */
  readonly data: { readonly [key: string]: unknown }
}

/** The rows that tell it: the event, and for each endpoint that hears of it a delivery with its job. */
export const emit = (
  subscribers: Subscribers,
  event: NewEvent,
  now: Instant,
  ids: Ids
): ReadonlyArray<RowOf<"events" | "deliveries" | "jobs">> => {
  const stored: Event = {
    id: ids.next(now),
    workspaceId: event.workspaceId,
    type: event.type,
    applicationId: event.applicationId,
    connectionId: event.connectionId,
    subjectId: event.subjectId,
    hasExternalReference: event.externalReference !== undefined,
    externalReference: event.externalReference ?? null,
    data: JSON.stringify(event.data),
    createdAt: now
  }
  const rows: Array<RowOf<"events" | "deliveries" | "jobs">> = [row("events", stored)]
  for (const endpoint of subscribers.endpoints) {
    const application = subscribers.applications.find(({ id }) => id === endpoint.applicationId)
    if (application !== undefined && hears(endpoint, application, event)) {
      rows.push(...newDelivery(ids.next(now), stored, endpoint, now))
    }
  }
  return rows
}

/** The duty to tell one endpoint, and its job. */
export const newDelivery = (
  id: string,
  event: Event,
  endpoint: Endpoint,
  now: Instant
): readonly [delivery: RowOf<"deliveries">, job: RowOf<"jobs">] => {
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
    version: 1
  }
  return [row("deliveries", delivery), row("jobs", deliveryJob(delivery, now))]
}
