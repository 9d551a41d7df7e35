import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Filters } from "../../kernel/input/Cursor.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { definedFilters } from "../../kernel/input/definedFilters.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Delivery } from "../../model/Delivery.js"
import type { Condition } from "../../ports/Changes.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { DeliveryListQuery, EndpointDeliveryListQuery } from "./DeliveryListQuery.js"
import { deliveriesKnownSince } from "./deliveriesKnownSince.js"
import { deliveryFilter, missingFilter } from "./deliveryFilter.js"
import { withOpenUrl } from "./endpointUrl.js"
import { type AttemptedDelivery, type DeliveryContext, type KnownDelivery, knownDelivery } from "./KnownDelivery.js"
import { type MessageWebhooks, messageWebhooks } from "./messageWebhooks.js"
import { replayDelivery } from "./replayDelivery.js"

/**
 * Lists, explains and replays webhook deliveries (docs/reference/administration.md#webhook-endpoints-and-deliveries).
 */
export interface AdminDeliveries {
  /**
   * Deliveries that match the query, newest first. Fails with `validation_failed` if the query has no id to search by.
   */
  readonly list: (query: PartialDecode<DeliveryListQuery>) => Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError>
  /** Deliveries of one endpoint, newest first; a deleted endpoint keeps them. Fails with `not_found`. */
  readonly listOfEndpoint: (
    endpointId: string,
    query: PartialDecode<EndpointDeliveryListQuery>
  ) => Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<AttemptedDelivery, Refusal | ReadError>
  /**
   * Replays a delivery. Fails with `invalid_transition` if the endpoint or the application receives no webhooks now, or
   * if the event is purged.
   */
  readonly replay: (id: string) => Effect.Effect<AttemptedDelivery, Refusal | CommitError>
  /**
   * For each event of a message and each endpoint of the workspace: its delivery, or the reason for its absence. Fails
   * with `not_found`.
   */
  readonly ofMessage: (messageId: string) => Effect.Effect<MessageWebhooks, Refusal | ReadError>
}
export const AdminDeliveries = Context.GenericTag<AdminDeliveries>("@parley/core/AdminDeliveries")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const secretBox = yield* SecretBox
  const { decideAndCommit } = yield* Decider
  const { retention } = yield* EngineSettings

  const deliveryContext = (delivery: Delivery): Effect.Effect<DeliveryContext, ReadError> =>
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
    Effect.map(deliveryContext(delivery), (around) => knownDelivery(delivery, around))
  // Read last, so that the delivery is never newer than its attempts.
  const withAttempts = (described: KnownDelivery): Effect.Effect<AttemptedDelivery, ReadError> =>
    Effect.map(
      storage.read({ attempts: lookup("attempts", { deliveryId: described.delivery.id }) }),
      ({ attempts }) => ({ ...described, attempts })
    )
  const attempted = (delivery: Delivery): Effect.Effect<AttemptedDelivery, ReadError> =>
    Effect.flatMap(known(delivery), withAttempts)
  const list = (
    where: Condition<"deliveries">,
    filters: Filters,
    query: PartialDecode<EndpointDeliveryListQuery>
  ): Effect.Effect<Listed<KnownDelivery>, Refusal | ReadError> =>
    Effect.gen(function* () {
      const page = yield* listNewestFirst(storage, { from: "deliveries", filters, where }, query)
      // Concurrent reads are batched into one statement per table.
      return { ...page, rows: yield* Effect.forEach(page.rows, known, { concurrency: "unbounded" }) }
    })
  const get = (id: string) => Effect.flatMap(Effect.flatMap(readById(storage, "deliveries", id), orNotFound), attempted)

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
        yield* orNotFound(yield* readById(storage, "endpoints", endpointId))
        const { status = null } = query.value
        return yield* list(definedFilters({ endpointId, status }), { endpoint_id: endpointId, status }, query)
      }),
    replay: (id) => {
      const world = Effect.gen(function* () {
        const delivery = yield* readById(storage, "deliveries", id)
        const none = { event: undefined, endpoint: undefined, application: undefined, job: undefined }
        return { delivery, ...(delivery === undefined ? none : yield* deliveryContext(delivery)) }
      })
      return Effect.flatMap(decideAndCommit(world, replayDelivery), withAttempts)
    },
    ofMessage: (messageId) =>
      Effect.gen(function* () {
        const message = yield* orNotFound(yield* readById(storage, "messages", messageId))
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
          endpoints: yield* Effect.forEach(endpoints, (endpoint) => withOpenUrl(secretBox, endpoint)),
          deliveries: deliveries.flat(),
          knownSince: yield* deliveriesKnownSince(storage, retention)
        })
      })
  })
})
