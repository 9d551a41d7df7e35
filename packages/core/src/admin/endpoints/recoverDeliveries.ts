import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Event } from "../../events/Event.js"
import { hears } from "../../events/hears.js"
import { newDelivery } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, type Parts } from "../../ports/Changes.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import { deliverAnew } from "../../webhooks/deliverAnew.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { recoveredDeliveryId } from "../../webhooks/recoveredDeliveryId.js"
import { found } from "../found.js"
import { enabled } from "./enabled.js"
import { mayBeSent } from "./mayBeSent.js"

/** All that recovering some events may look at. */
export interface RecoverWorld {
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly events: ReadonlyArray<Event>
  /** Every delivery of these events. */
  readonly deliveries: ReadonlyArray<Delivery>
}

/**
 * Recovers some events for an endpoint (decisions.md §12): those since a time that it hears, as it and its application are
 * now, and that were not delivered to it. `since` is no earlier than deliveries are known: of an older event, none kept does
 * not mean that none was made. One without a delivery gets it, a failed delivery goes out anew, and what waits or
 * was delivered is left alone. The result is how many go out. Refused with `invalid_transition` where the endpoint or its
 * application is sent nothing.
 */
export const recoverDeliveries = (
  world: RecoverWorld,
  since: Instant,
  now: Instant
): Either.Either<Decision<number>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* Either.flatMap(found(world.endpoint), enabled)
    const application = yield* Either.flatMap(found(world.application), mayBeSent)
    const present = new Map<string, Delivery>()
    for (const delivery of world.deliveries) {
      if (delivery.endpointId === endpoint.id) present.set(delivery.eventId, delivery)
    }
    const recovered = world.events
      .filter((event) => event.createdAt >= since && hears(endpoint, application, event))
      .flatMap((event) => recover(event, endpoint, present.get(event.id), now))
    if (recovered.length === 0) return { changes: null, result: 0 }
    const { id, version, workspaceId } = endpoint
    const expects = [
      expect("endpoints", { id }, { version }),
      expect("applications", { id: application.id }, { version: application.version })
    ]
    return { changes: changes(workspaceId, { expects }, ...recovered), result: recovered.length }
  })

/** What makes one event go out to the endpoint; empty where it did or will. */
const recover = (
  event: Event,
  endpoint: Endpoint,
  delivery: Delivery | undefined,
  now: Instant
): ReadonlyArray<Parts> => {
  if (delivery === undefined) {
    const ensures = newDelivery(recoveredDeliveryId(event.id, endpoint.id), event, endpoint, now)
    // Not of an event that is erased meanwhile.
    return [{ expects: [expect("events", { id: event.id })], ensures }]
  }
  return delivery.status === "failed" ? [deliverAnew(delivery, now)] : []
}
