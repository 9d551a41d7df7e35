import { Clock, Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import { EngineSettings } from "../../EngineSettings.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Filters } from "../../input/Cursor.js"
import type { Listed } from "../../input/CursorList.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import type { Condition } from "../../ports/Changes.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import { deliveriesKnownSince } from "../../webhooks/deliveriesKnownSince.js"
import {
  type AttemptedDelivery,
  type DeliverySurroundings,
  type KnownDelivery,
  knownDelivery
} from "../../webhooks/KnownDelivery.js"
import { chosen } from "../chosen.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import type { DeliveryListQuery, EndpointDeliveryListQuery } from "./DeliveryListQuery.js"
import { deliveryFilter, missingFilter } from "./deliveryFilter.js"
import { type MessageWebhooks, messageWebhooks } from "./messageWebhooks.js"
import { replayDelivery } from "./replayDelivery.js"

/** Looks webhook deliveries up, and sends them again (decisions.md §12, §14). */
export interface AdminDeliveries {
  /** Those that meet the query, newest first; `validation_failed` where it names none of the ids. */
  readonly list: (query: Draft<DeliveryListQuery>) => Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError>
  /** Those of one endpoint, newest first; `not_found` where it does not exist. A deleted one still has its deliveries. */
  readonly listOfEndpoint: (
    endpointId: string,
    query: Draft<EndpointDeliveryListQuery>
  ) => Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<AttemptedDelivery, Refusal | ReadError>
  /** Sends it again; `invalid_transition` where its endpoint or application is sent nothing, or the event is purged. */
  readonly replay: (id: string) => Effect.Effect<AttemptedDelivery, Refusal | CommitError>
  /** What became of a message's events at every endpoint of its workspace; `not_found` where there is no such message. */
  readonly ofMessage: (messageId: string) => Effect.Effect<MessageWebhooks, Refusal | ReadError>
}
export const AdminDeliveries = Context.GenericTag<AdminDeliveries>("@parley/core/AdminDeliveries")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider
  const { retention } = yield* EngineSettings

  const surroundings = (delivery: Delivery): Effect.Effect<DeliverySurroundings, ReadError> =>
    Effect.map(
      storage.read({
        events: lookupById("events", delivery.eventId),
        endpoints: lookupById("endpoints", delivery.endpointId),
        applications: lookupById("applications", delivery.applicationId),
        jobs: lookupById("jobs", delivery.id)
      }),
      ({ applications, endpoints, events, jobs }) => ({
        event: events[0],
        endpoint: endpoints[0],
        application: applications[0],
        job: jobs[0]
      })
    )
  const known = (delivery: Delivery): Effect.Effect<KnownDelivery, ReadError> =>
    Effect.map(surroundings(delivery), (around) => knownDelivery(delivery, around))
  const attempted = (delivery: Delivery): Effect.Effect<AttemptedDelivery, ReadError> =>
    Effect.gen(function* () {
      const described = yield* known(delivery)
      // Read last, so that a delivery never looks further than its attempts.
      const { attempts } = yield* storage.read({ attempts: lookup("attempts", { deliveryId: delivery.id }) })
      return { ...described, attempts }
    })
  const list = (
    where: Condition<"deliveries">,
    filters: Filters,
    query: Draft<EndpointDeliveryListQuery>
  ): Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError> =>
    Effect.gen(function* () {
      const page = yield* listNewestFirst(storage, { from: "deliveries", filters, where }, query)
      // Asked together, these are one statement for each table.
      return { ...page, rows: yield* Effect.forEach(page.rows, known, { concurrency: "unbounded" }) }
    })
  const get = (id: string) => Effect.flatMap(Effect.flatMap(readById(storage, "deliveries", id), found), attempted)

  return AdminDeliveries.of({
    get,
    list: (query) =>
      Effect.gen(function* () {
        const { attemptId = null, endpointId = null, eventId = null, messageId = null, status = null } = query.value
        const filters = {
          message_id: messageId,
          event_id: eventId,
          attempt_id: attemptId,
          endpoint_id: endpointId,
          status
        }
        const problems = joinProblems(query.problems, missingFilter(query))
        return yield* list(yield* deliveryFilter(storage, query.value), filters, { ...query, problems })
      }),
    listOfEndpoint: (endpointId, query) =>
      Effect.gen(function* () {
        yield* found(yield* readById(storage, "endpoints", endpointId))
        const { status = null } = query.value
        return yield* list(chosen({ endpointId, status }), { endpoint_id: endpointId, status }, query)
      }),
    replay: (id) => {
      const world = Effect.gen(function* () {
        const delivery = yield* readById(storage, "deliveries", id)
        const none = { event: undefined, endpoint: undefined, application: undefined, job: undefined }
        return { delivery, ...(delivery === undefined ? none : yield* surroundings(delivery)) }
      })
      return Effect.flatMap(decideAndCommit(world, replayDelivery), attempted)
    },
    ofMessage: (messageId) =>
      Effect.gen(function* () {
        const message = yield* found(yield* readById(storage, "messages", messageId))
        const { applications, endpoints, events } = yield* storage.read({
          events: lookup("events", { subjectId: message.id }),
          ...subscriberLookups(message.workspaceId)
        })
        const deliveries = yield* Effect.forEach(
          events,
          ({ id }) =>
            Effect.flatMap(storage.read({ found: lookup("deliveries", { eventId: id }) }), ({ found }) =>
              Effect.forEach(found, attempted, { concurrency: "unbounded" })
            ),
          { concurrency: "unbounded" }
        )
        return messageWebhooks({
          messageId: message.id,
          events,
          applications,
          endpoints,
          deliveries: deliveries.flat(),
          knownSince: deliveriesKnownSince(retention, yield* Clock.currentTimeMillis)
        })
      })
  })
})

export const layer: Layer.Layer<AdminDeliveries, never, Storage | Decider | EngineSettings> = Layer.effect(
  AdminDeliveries,
  make
)
