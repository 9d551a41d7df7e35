import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { EventType } from "../../events/Event.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Attempt, Delivery } from "../../webhooks/Delivery.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"

/** A delivery, and the type of its event: null once that is purged. */
export interface KnownDelivery {
  readonly delivery: Delivery
  readonly eventType: EventType | null
}

/** Looks webhook deliveries up (decisions.md §14). */
export interface AdminDeliveries {
  /** Those of one endpoint, newest first; `not_found` where it does not exist. A deleted one still has its deliveries. */
  readonly listOfEndpoint: (
    endpointId: string,
    query: Draft<ListQuery>
  ) => Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError>
  /** One with every attempt, in no particular order. */
  readonly get: (
    id: string
  ) => Effect.Effect<KnownDelivery & { readonly attempts: ReadonlyArray<Attempt> }, Refusal | ReadError>
}
export const AdminDeliveries = Context.GenericTag<AdminDeliveries>("@parley/core/AdminDeliveries")

const make = Effect.gen(function* () {
  const storage = yield* Storage

  const withType = (delivery: Delivery): Effect.Effect<KnownDelivery, ReadError> =>
    Effect.map(storage.read({ events: lookup("events", { id: delivery.eventId }) }), ({ events }) => ({
      delivery,
      eventType: events[0]?.type ?? null
    }))

  return AdminDeliveries.of({
    listOfEndpoint: (endpointId, query) =>
      Effect.gen(function* () {
        const { endpoints } = yield* storage.read({ endpoints: lookup("endpoints", { id: endpointId }) })
        yield* found(endpoints[0])
        const filters = { endpoint_id: endpointId }
        const page = yield* listNewestFirst(storage, { from: "deliveries", filters, where: { endpointId } }, query)
        // Asked together, these are one statement.
        return { ...page, rows: yield* Effect.forEach(page.rows, withType, { concurrency: "unbounded" }) }
      }),
    get: (id) =>
      Effect.gen(function* () {
        const { deliveries } = yield* storage.read({ deliveries: lookup("deliveries", { id }) })
        const known = yield* withType(yield* found(deliveries[0]))
        // Read last, so that a delivery never looks further than its attempts.
        const { attempts } = yield* storage.read({ attempts: lookup("attempts", { deliveryId: id }) })
        return { ...known, attempts }
      })
  })
})

export const layer: Layer.Layer<AdminDeliveries, never, Storage> = Layer.effect(AdminDeliveries, make)
