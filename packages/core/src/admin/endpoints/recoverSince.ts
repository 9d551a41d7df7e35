import { Clock, Effect, Either, Schema } from "effect"
import type { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { type Instant, minute } from "../../Instant.js"
import { cursors } from "../../input/Cursor.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { isUuid } from "../../input/Fields.js"
import { type CommitError, lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { deliveriesKnownSince } from "../../webhooks/deliveriesKnownSince.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import type { Retention } from "../../worker/Retention.js"
import type { RecoverInput } from "./RecoverInput.js"
import { type RecoverWorld, recoverDeliveries } from "./recoverDeliveries.js"

/** What a recover did. */
export interface Recovered {
  /** How many deliveries go out. */
  readonly deliveries: number
  /** How far back it looked: no further than deliveries are known, however long ago was asked for. */
  readonly reached: Instant
  /** Where the next call goes on; null where it looked at all. */
  readonly cursor: string | null
}

/** How many events one commit is about: so many are in memory at once. */
const slice = 200

/** Ids sort by time, but as the clocks of several hosts have it: an event this much older than asked for ends the walk. */
const clocksAgree = minute

const byId = cursors("recover", Schema.String.pipe(Schema.filter(isUuid)))

/**
 * Walks the events of an endpoint's workspace from the newest back to a time, or to where deliveries are no longer known, and
 * recovers a slice in each commit.
 */
export const recoverSince =
  (storage: Storage, { decideAndCommit }: Decider, retention: Retention) =>
  (endpoint: Endpoint, draft: Draft<RecoverInput>): Effect.Effect<Recovered, Refusal | CommitError> =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const { cursor, since: wanted } = draft.value
      const filters = { endpoint_id: endpoint.id, since: wanted ?? null }
      const from = cursor == null || wanted === undefined ? Either.right(null) : byId.decode(filters, cursor)
      const { limit, since: asked } = yield* complete(
        draft,
        wanted !== undefined && wanted > start ? { since: ["must not be in the future"] } : {},
        Either.isLeft(from) ? { cursor: [from.left] } : {}
      )
      const most = limit ?? Number.POSITIVE_INFINITY
      let after = Either.getOrElse(from, () => null)
      let deliveries = 0
      let since = asked
      let looked = 0
      for (;;) {
        const wish = Math.min(slice, most - looked)
        const events = yield* storage.list({
          from: "events",
          where: { workspaceId: endpoint.workspaceId },
          after,
          limit: wish
        })
        // Anew for each slice: deliveries are purged meanwhile.
        since = Math.max(asked, deliveriesKnownSince(retention, yield* Clock.currentTimeMillis))
        deliveries += yield* decideAndCommit(worldOf(storage, endpoint, events), (world, now) =>
          recoverDeliveries(world, since, now)
        )
        const last = events.at(-1)
        if (last === undefined || events.length < wish || last.createdAt < since - clocksAgree) {
          return { deliveries, reached: since, cursor: null }
        }
        looked += events.length
        after = last.id
        if (looked >= most) {
          return { deliveries, reached: Math.max(since, last.createdAt), cursor: byId.encode(filters, after) }
        }
      }
    })

const worldOf = (
  storage: Storage,
  endpoint: Endpoint,
  events: RecoverWorld["events"]
): Effect.Effect<RecoverWorld, ReadError> =>
  Effect.gen(function* () {
    const { applications, endpoints } = yield* storage.read({
      endpoints: lookupById("endpoints", endpoint.id),
      applications: lookupById("applications", endpoint.applicationId)
    })
    // One statement for them all.
    const deliveries = yield* storage.read(
      Object.fromEntries(events.map(({ id }) => [id, lookup("deliveries", { eventId: id })]))
    )
    return {
      endpoint: endpoints[0],
      application: applications[0],
      events,
      deliveries: Object.values(deliveries).flat()
    }
  })
