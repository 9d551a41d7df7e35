import { Clock, Effect, Either, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { type Decider, preloaded } from "../../kernel/Decider.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { complete } from "../../kernel/input/complete.js"
import { isUuid } from "../../kernel/input/Fields.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { type Instant, minute } from "../../model/Instant.js"
import type { Retention } from "../../model/Retention.js"
import { type CommitError, lookup, lookupById, type ReadError, readByIds, type Storage } from "../../ports/Storage.js"
import { deliveriesKnownSince } from "./deliveriesKnownSince.js"
import type { RecoverInput } from "./RecoverInput.js"
import { type RecoverWorld, recoverDeliveries } from "./recoverDeliveries.js"

/** The result of a recover call. */
export interface Recovered {
  /** Number of deliveries that were made or restarted. */
  readonly deliveries: number
  /** The effective start: the requested time, or since when deliveries are retained if that is later. */
  readonly reached: Instant
  /** Cursor for the next call; null if all events were examined. */
  readonly cursor: string | null
}

/** Number of events per commit, which bounds memory. */
const slice = 200

/**
 * Maximum clock difference of hosts, in ms: ids sort by the clock of their host, so the scan goes this much further.
 */
const clocksAgree = minute

const byId = cursors("recover", Schema.String.pipe(Schema.filter(isUuid)))

/**
 * Scans the events of an endpoint's workspace from the newest back to a time, or to the time since when deliveries are
 * retained; for an ordered endpoint from that time on. Each commit recovers one batch.
 */
export const recoverSince =
  (storage: Storage, { decideAndCommit }: Decider, retention: Retention) =>
  (endpoint: Endpoint, decoded: PartialDecode<RecoverInput>): Effect.Effect<Recovered, Refusal | CommitError> =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const { cursor, since: requestedSince } = decoded.value
      const filters = { endpoint_id: endpoint.id, since: requestedSince ?? null }
      const from = cursor == null || requestedSince === undefined ? Either.right(null) : byId.decode(filters, cursor)
      const { limit, since: requestedTime } = yield* complete(
        decoded,
        requestedSince !== undefined && requestedSince > start ? { since: ["must not be in the future"] } : {},
        Either.isLeft(from) ? { cursor: [from.left] } : {}
      )
      const maxExamined = limit ?? Number.POSITIVE_INFINITY
      let after = Either.getOrElse(from, () => null)
      let deliveries = 0
      let examined = 0
      for (;;) {
        const batchLimit = Math.min(slice, maxExamined - examined)
        const page = { from: "events", where: { workspaceId: endpoint.workspaceId }, after, limit: batchLimit } as const
        const isOrdered = endpoint.ordered !== null
        const events = yield* storage.list(
          isOrdered ? { ...page, oldestFirstBy: "id", since: Math.max(0, requestedTime - clocksAgree) } : page
        )
        const batch = yield* decideAndCommit(
          worldOf(storage, endpoint, retention, preloaded(events, present(storage, events))),
          (world, now) => recoverDeliveries(world, requestedTime, now)
        )
        deliveries += batch.deliveries
        const { since } = batch
        const last = events.at(-1)
        const isPast = !isOrdered && last !== undefined && last.createdAt < since - clocksAgree
        if (last === undefined || events.length < batchLimit || isPast) {
          return { deliveries, reached: since, cursor: null }
        }
        examined += events.length
        after = last.id
        if (examined >= maxExamined) {
          return { deliveries, reached: Math.max(since, last.createdAt), cursor: byId.encode(filters, after) }
        }
      }
    })

/** Those of the events that were not erased or purged meanwhile. */
const present = (storage: Storage, events: RecoverWorld["events"]) =>
  Effect.map(readByIds(storage, { events: events.map(({ id }) => id) }), (found) => [...found.events.values()])

const worldOf = (
  storage: Storage,
  endpoint: Endpoint,
  retention: Retention,
  loadEvents: Effect.Effect<RecoverWorld["events"], ReadError>
): Effect.Effect<RecoverWorld, ReadError> =>
  Effect.gen(function* () {
    const events = yield* loadEvents
    const { applications, endpoints } = yield* storage.read({
      endpoints: lookupById("endpoints", endpoint.id),
      applications: lookupById("applications", endpoint.applicationId)
    })
    // One statement for the whole batch. Of this endpoint only: an event may be delivered to hundreds.
    const deliveries = yield* storage.read(
      Object.fromEntries(events.map(({ id }) => [id, lookup("deliveries", { endpointId: endpoint.id, eventId: id })]))
    )
    return {
      endpoint: endpoints[0],
      application: applications[0],
      events,
      deliveries: Object.values(deliveries).flat(),
      knownSince: yield* deliveriesKnownSince(storage, retention)
    }
  })
