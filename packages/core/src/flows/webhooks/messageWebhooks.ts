import type { Application } from "../../model/Application.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import { receiverOf, skipReason } from "../../resources/events/isSubscribed.js"
import type { AttemptedDelivery } from "./KnownDelivery.js"
import { type Absence, absenceText, deliveryText } from "./webhookTexts.js"

/** One event at one endpoint: the delivery, or the reason for its absence. */
export interface EndpointDeliveryStatus {
  readonly endpoint: Endpoint
  readonly delivery: AttemptedDelivery | null
  readonly absence: Absence | null
  /** An English sentence about either. */
  readonly explanation: string
}

/** One event of a message at all endpoints. */
export interface EventDeliveryStatus {
  readonly event: Event
  readonly endpoints: ReadonlyArray<EndpointDeliveryStatus>
}

/** The retained events of a message, oldest first. */
export interface MessageWebhooks {
  readonly messageId: string
  readonly events: ReadonlyArray<EventDeliveryStatus>
}

/** What the explanation of a message's webhooks reads. */
export interface MessageWebhooksWorld {
  readonly messageId: string
  /** Events of the message. */
  readonly events: ReadonlyArray<Event>
  /** All endpoints of the workspace. */
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly applications: ReadonlyArray<Application>
  /** All deliveries of the events. */
  readonly deliveries: ReadonlyArray<AttemptedDelivery>
  /** Since when all deliveries are retained; an older event may have had others. */
  readonly knownSince: Instant
}

/**
 * Explains, for each event of a message and each endpoint of the workspace, the delivery or its absence. A deleted
 * endpoint is listed only if it has a delivery. The reason of an absence is derived from the current state; for an
 * event whose deliveries may be purged it is unknown, and for one that the endpoint would receive now it is not known
 * which former state it was.
 */
export const messageWebhooks = (world: MessageWebhooksWorld): MessageWebhooks => ({
  messageId: world.messageId,
  events: [...world.events].sort(byId).map((event) => ({
    event,
    endpoints: [...world.endpoints].sort(byId).flatMap((endpoint) => statusOf(world, event, endpoint))
  }))
})

const statusOf = (
  { applications, deliveries, knownSince }: MessageWebhooksWorld,
  event: Event,
  endpoint: Endpoint
): ReadonlyArray<EndpointDeliveryStatus> => {
  const delivery = deliveries.find(
    (one) => one.delivery.eventId === event.id && one.delivery.endpointId === endpoint.id
  )
  if (delivery !== undefined) return [{ endpoint, delivery, absence: null, explanation: deliveryText(delivery) }]
  const application = receiverOf(endpoint, applications)
  if (endpoint.status === "deleted" || application === undefined) return []
  const absence = event.createdAt < knownSince ? "no_longer_known" : absenceReason(event, endpoint, application)
  return [{ endpoint, delivery: null, absence, explanation: absenceText(absence, event) }]
}

const absenceReason = (event: Event, endpoint: Endpoint, application: Application | null): Absence =>
  skipReason(endpoint, application, event) ??
  (endpoint.createdAt > event.createdAt ? "registered_later" : "not_received_then")

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1)
