import type { Application } from "../../access/Application.js"
import type { Event } from "../../events/Event.js"
import { whyUnheard } from "../../events/hears.js"
import type { Instant } from "../../Instant.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import type { AttemptedDelivery } from "../../webhooks/KnownDelivery.js"
import { type Absence, absenceWords, deliveryWords } from "./webhookWords.js"

/** What became of one event at one endpoint: its delivery, or why there is none. */
export interface ToldEndpoint {
  readonly endpoint: Endpoint
  readonly delivery: AttemptedDelivery | null
  readonly absence: Absence | null
  /** Either, in words for a person. */
  readonly explanation: string
}

/** What became of one event of a message. */
export interface ToldEvent {
  readonly event: Event
  readonly endpoints: ReadonlyArray<ToldEndpoint>
}

/** What became of the events of a message that are kept, the first one first. */
export interface MessageWebhooks {
  readonly messageId: string
  readonly events: ReadonlyArray<ToldEvent>
}

/** All that explains the webhooks of a message. */
export interface MessageWebhooksWorld {
  readonly messageId: string
  /** Those of the message. */
  readonly events: ReadonlyArray<Event>
  /** All of the workspace. */
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly applications: ReadonlyArray<Application>
  /** All of the events. */
  readonly deliveries: ReadonlyArray<AttemptedDelivery>
  /** Since when all are kept: of an older event, there may have been others. */
  readonly knownSince: Instant
}

/**
 * What became of each event of a message at every endpoint of its workspace. Deleted endpoints are
 * there only where they were told. Why there is no delivery is told of things as they are now, and not of an event whose
 * deliveries may be purged.
 */
export const messageWebhooks = (world: MessageWebhooksWorld): MessageWebhooks => ({
  messageId: world.messageId,
  events: [...world.events].sort(byId).map((event) => ({
    event,
    endpoints: [...world.endpoints].sort(byId).flatMap((endpoint) => told(world, event, endpoint))
  }))
})

const told = (
  { applications, deliveries, knownSince }: MessageWebhooksWorld,
  event: Event,
  endpoint: Endpoint
): ReadonlyArray<ToldEndpoint> => {
  const delivery = deliveries.find(
    (one) => one.delivery.eventId === event.id && one.delivery.endpointId === endpoint.id
  )
  if (delivery !== undefined) return [{ endpoint, delivery, absence: null, explanation: deliveryWords(delivery) }]
  const application = applications.find(({ id }) => id === endpoint.applicationId)
  if (endpoint.status === "deleted" || application === undefined) return []
  const absence = event.createdAt < knownSince ? "no_longer_known" : whyAbsent(event, endpoint, application)
  return [{ endpoint, delivery: null, absence, explanation: absenceWords(absence, event) }]
}

const whyAbsent = (event: Event, endpoint: Endpoint, application: Application): Absence =>
  whyUnheard(endpoint, application, event) ??
  (endpoint.createdAt > event.createdAt ? "registered_later" : "would_be_told_now")

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1)
