import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { derivedId } from "../../kernel/derivedId.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import type { Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, type Parts } from "../../ports/Changes.js"
import { isSubscribed } from "../../resources/events/isSubscribed.js"
import { newDelivery } from "../../resources/events/Outbox.js"
import { orderKey } from "../../resources/events/orderKey.js"
import { receivingApplication } from "./receivingApplication.js"
import { redeliver } from "./redeliver.js"
import { requireActiveEndpoint } from "./requireActiveEndpoint.js"

/** What the rule reads for one batch of events. */
export interface RecoverWorld {
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly events: ReadonlyArray<Event>
  /** Of these events. Those of other endpoints are ignored. */
  readonly deliveries: ReadonlyArray<Delivery>
  /** Since when all deliveries are retained. Read after the deliveries, because they are purged concurrently. */
  readonly knownSince: Instant
}

/** What one batch recovered. */
export interface RecoveredBatch {
  /** Number of deliveries that were made or restarted. */
  readonly deliveries: number
  /** The effective start: the requested time, or since when deliveries are retained if that is later. */
  readonly since: Instant
}

/**
 * Recovers a batch of events for an endpoint (docs/reference/webhooks.md#recover): events since `requested` that match
 * the present subscription and were not delivered. An event without a delivery gets one, a failed delivery restarts,
 * pending and delivered ones stay. Leaves out events whose deliveries may be purged: they would be made again. Fails
 * with `invalid_transition` if the endpoint or the application receives nothing now.
 */
export const recoverDeliveries = (
  world: RecoverWorld,
  requested: Instant,
  now: Instant
): Either.Either<Decision<RecoveredBatch>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* Either.flatMap(orNotFound(world.endpoint), requireActiveEndpoint)
    const application = yield* receivingApplication(endpoint, world.application)
    const present = new Map<string, Delivery>()
    for (const delivery of world.deliveries) {
      if (delivery.endpointId === endpoint.id) present.set(delivery.eventId, delivery)
    }
    const since = Math.max(requested, world.knownSince)
    const recovered = world.events
      .filter((event) => event.createdAt >= since && isSubscribed(endpoint, application, event))
      .flatMap((event) => recover(event, endpoint, present.get(event.id), now))
    const result = { deliveries: recovered.length, since }
    if (recovered.length === 0) return { changes: null, result }
    const { id, version, workspaceId } = endpoint
    const expects = [
      expect("endpoints", { id }, { version }),
      ...(application === null
        ? []
        : [expect("applications", { id: application.id }, { version: application.version })])
    ]
    return { changes: changes(workspaceId, { expects }, ...recovered), result }
  })

/** The changes that deliver one event to the endpoint; empty if it is delivered or pending. */
const recover = (
  event: Event,
  endpoint: Endpoint,
  delivery: Delivery | undefined,
  now: Instant
): ReadonlyArray<Parts> => {
  if (delivery === undefined) {
    const ensures = newDelivery(recoveredDeliveryId(event.id, endpoint.id), event, endpoint, now)
    // Conflicts with a concurrent erasure of the event.
    return [{ expects: [expect("events", { id: event.id })], ensures }]
  }
  return delivery.status === "failed" ? [redeliver(delivery, orderKey(endpoint, event), endpoint, now)] : []
}

/**
 * The id of a recovered delivery, derived from event and endpoint: concurrent or repeated recovers make one delivery.
 */
export const recoveredDeliveryId = (eventId: string, endpointId: string): string => derivedId(eventId, endpointId)
