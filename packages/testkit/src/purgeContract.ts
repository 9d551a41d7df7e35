import {
  type AnyLookup,
  changes,
  expect as expects,
  lookup,
  type ProviderMessage,
  type PurgePosition,
  row,
  type Storage,
  set
} from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

/** History is purged by age, in bounded steps, except rows that are still needed. */
export const purgeContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("purging", database, options, (test) => {
    test("purges old rows in bounded steps", ({ one }, ids) =>
      Effect.gen(function* () {
        const applicationId = ids.next(1)
        const record = (n: number) =>
          Rows.anIdempotencyRecord({ applicationId, workspaceId: applicationId, key: `${n}`, expiresAt: 1_000 + n })
        yield* one.commit(changes(applicationId, { claims: [0, 1, 2, 3, 4].map((n) => row("idempotency", record(n))) }))
        expect(yield* one.purge("idempotency", 1_003, 2)).toEqual({ rows: 2, last: 1_001 })
        expect(yield* one.purge("idempotency", 1_003, 2)).toEqual({ rows: 1, last: 1_002 })
        expect(yield* one.purge("idempotency", 1_003, 2)).toEqual({ rows: 0, last: null })
        const { left } = yield* one.read({ left: lookup("idempotency", { applicationId }) })
        expect(left.map(({ key }) => key).sort()).toEqual(["3", "4"])
      }))

    test("purges by the age of the ids, whatever other columns contain", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const of = (moment: number) => ({ id: ids.next(moment), workspaceId })
        const rowsOf = (moment: number) => [
          row("events", Rows.anEvent(of(moment))),
          row("businessEvents", Rows.aBusinessEvent(of(moment))),
          row("deliveries", Rows.aDelivery({ ...of(moment), status: "delivered" })),
          row("attempts", Rows.anAttempt(of(moment))),
          row("requestLog", Rows.aLoggedRequest(of(moment))),
          row("notifications", Rows.aNotification(of(moment))),
          row("unknownEvents", Rows.anUnknownEvent(of(moment)))
        ]
        const [old, young] = [rowsOf(5_000_000_007), rowsOf(5_000_000_008)]
        yield* one.commit(changes(workspaceId, { inserts: [...old, ...young] }))
        const isThere = ({ row: { id }, table }: (typeof old)[number]) =>
          Effect.map(one.read({ found: { from: table, where: { id } } as AnyLookup }), ({ found }) => found.length)
        for (const [i, gone] of old.entries()) {
          const kept = young[i] ?? gone
          const purge = (before: number) => one.purge(gone.table as "events", before, 1_000)
          yield* Effect.repeat(purge(5_000_000_007), { until: ({ rows }) => rows === 0 })
          expect([gone.table, yield* isThere(gone)]).toEqual([gone.table, 1])
          expect([gone.table, yield* purge(5_000_000_008)]).toEqual([
            gone.table,
            { rows: 1, last: (gone.row as { readonly id: string }).id }
          ])
          expect([yield* isThere(gone), yield* isThere(kept)]).toEqual([0, 1])
        }
      }))

    test("goes on at a position, and does not look at older rows", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const purge = (before: number, limit: number, from?: PurgePosition | null) =>
          one.purge("deliveries", before, limit, from)
        yield* Effect.repeat(purge(5_000_000_610, 1_000), { until: ({ rows }) => rows === 0 })
        const deliveryOf = (moment: number, status: "pending" | "failed") =>
          Rows.aDelivery({ id: ids.next(moment), workspaceId, status })
        const [kept, ...old] = [
          deliveryOf(5_000_000_601, "pending"),
          ...[5_000_000_602, 5_000_000_603, 5_000_000_604].map((moment) => deliveryOf(moment, "failed"))
        ]
        const young = deliveryOf(5_000_000_611, "failed")
        yield* one.commit(
          changes(workspaceId, {
            inserts: [kept, ...old, young].flatMap((delivery) => (delivery ? [row("deliveries", delivery)] : []))
          })
        )
        const first = yield* purge(5_000_000_610, 2)
        expect(first).toEqual({ rows: 2, last: old[1]?.id })
        // It could be deleted now, but is behind.
        const key = { id: kept?.id ?? "" }
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("deliveries", key)],
            sets: [set("deliveries", key, { status: "delivered" })]
          })
        )
        const second = yield* purge(5_000_000_610, 2, first.last)
        expect(second).toEqual({ rows: 1, last: old[2]?.id })
        expect(yield* purge(5_000_000_610, 2, second.last)).toEqual({ rows: 0, last: null })
        const left = yield* one.list({ from: "deliveries", where: { workspaceId }, after: null, limit: 10 })
        expect(left.map(({ id }) => id)).toEqual([young.id, kept?.id])
        expect(yield* purge(5_000_000_610, 2)).toEqual({ rows: 1, last: kept?.id })
      }))

    test("purges the access tokens that have expired", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, oauthClientId] = [ids.next(1), ids.next(1)]
        const tokens = [899, 900, 901].map((expiresAt) =>
          Rows.anAccessToken({ hash: ids.next(1), workspaceId, oauthClientId, createdAt: 1, expiresAt })
        )
        yield* one.commit(changes(workspaceId, { claims: tokens.map((token) => row("accessTokens", token)) }))
        expect(yield* one.purge("accessTokens", 900, 10)).toEqual({ rows: 1, last: 899 })
        const left = yield* Effect.forEach(tokens, ({ hash }) => one.read({ found: lookup("accessTokens", { hash }) }))
        expect(left.flatMap(({ found }) => found)).toEqual(tokens.slice(1))
      }))

    test("goes on among rows of the same time", ({ one }, ids) =>
      Effect.gen(function* () {
        const applicationId = ids.next(1)
        const record = (n: number) =>
          Rows.anIdempotencyRecord({ applicationId, workspaceId: applicationId, key: `${n}`, expiresAt: 900 })
        yield* one.commit(changes(applicationId, { claims: [0, 1, 2].map((n) => row("idempotency", record(n))) }))
        const { last, rows } = yield* one.purge("idempotency", 901, 2)
        expect([rows, last]).toEqual([2, 900])
        expect(yield* one.purge("idempotency", 901, 2, last)).toEqual({ rows: 1, last: 900 })
      }))

    test("keeps a pending delivery and its event", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const of = (moment: number) => ({ id: ids.next(moment), workspaceId })
        const [waited, done] = [Rows.anEvent(of(5_000_000_101)), Rows.anEvent(of(5_000_000_101))]
        const deliveryOf = (event: { readonly id: string }, status: "pending" | "delivered" | "failed") =>
          Rows.aDelivery({ ...of(5_000_000_102), eventId: event.id, status })
        const waiting = deliveryOf(waited, "pending")
        const [sent, failed] = [deliveryOf(waited, "delivered"), deliveryOf(done, "failed")]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              ...[waited, done].map((event) => row("events", event)),
              ...[waiting, sent, failed].map((delivery) => row("deliveries", delivery))
            ]
          })
        )
        const purged = Effect.zipRight(
          Effect.repeat(one.purge("deliveries", 5_000_000_200, 1_000), { until: ({ rows }) => rows < 1_000 }),
          Effect.repeat(one.purge("events", 5_000_000_200, 1_000), { until: ({ rows }) => rows < 1_000 })
        )
        const left = Effect.map(
          Effect.all([
            one.list({ from: "deliveries", where: { workspaceId }, after: null, limit: 10 }),
            one.list({ from: "events", where: { workspaceId }, after: null, limit: 10 })
          ]),
          (lists) => lists.map((rows) => rows.map(({ id }) => id))
        )
        yield* purged
        expect(yield* left).toEqual([[waiting.id], [waited.id]])
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("deliveries", { id: waiting.id })],
            sets: [set("deliveries", { id: waiting.id }, { status: "delivered" })]
          })
        )
        yield* purged
        expect(yield* left).toEqual([[], []])
      }))

    test("purges deleted endpoints that have no deliveries left", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const endpointOf = (status: "active" | "disabled" | "deleted", createdAt: number) =>
          Rows.anEndpoint({ id: ids.next(createdAt), workspaceId, status, createdAt })
        const [active, disabled, gone, young] = [
          endpointOf("active", 5_000_000_001),
          endpointOf("disabled", 5_000_000_001),
          endpointOf("deleted", 5_000_000_001),
          endpointOf("deleted", 5_000_000_002)
        ]
        // The id of a subscription's endpoint contains no time.
        const subscription = { ...gone, id: "e0000000-0000-8000-8000-000000000000" }
        const delivered = endpointOf("deleted", 5_000_000_001)
        const delivery = Rows.aDelivery({
          id: ids.next(5_000_000_001),
          workspaceId,
          endpointId: delivered.id,
          eventId: workspaceId,
          status: "delivered"
        })
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              ...[active, disabled, gone, young, subscription, delivered].map((endpoint) => row("endpoints", endpoint)),
              row("deliveries", delivery)
            ]
          })
        )
        const purged = Effect.repeat(one.purge("endpoints", 5_000_000_002, 1), { until: ({ rows }) => rows === 0 })
        const left = Effect.map(one.read({ found: lookup("endpoints", { workspaceId }) }), ({ found }) =>
          found.map(({ id }) => id).sort()
        )
        yield* purged
        expect(yield* left).toEqual([active.id, disabled.id, young.id, delivered.id].sort())
        yield* Effect.repeat(one.purge("deliveries", 5_000_000_100, 1_000), { until: ({ rows }) => rows < 1_000 })
        yield* purged
        expect(yield* left).toEqual([active.id, disabled.id, young.id].sort())
      }))

    test("keeps rows that have not ended, and counts the age from the end", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const of = () => ({ id: ids.next(5_000_000_001), workspaceId })
        const ends = [null, 5_000_000_202, 5_000_000_201]
        const runs = ends.map((endedAt) => Rows.aRun({ ...of(), endedAt }))
        const sessions = ends.map((endedAt) => Rows.aBotSession({ ...of(), endedAt }))
        const version = Rows.aWorkflowVersion(of())
        const key = Rows.aRunKey({ workflowId: version.id, workspaceId })
        yield* one.commit(
          changes(workspaceId, {
            claims: [row("runKeys", key)],
            inserts: [
              row("workflowVersions", version),
              ...runs.map((run) => row("workflowRuns", run)),
              ...sessions.map((session) => row("botSessions", session))
            ]
          })
        )
        for (const table of ["workflowRuns", "botSessions"] as const) {
          yield* Effect.repeat(one.purge(table, 5_000_000_202, 1_000), { until: ({ rows }) => rows === 0 })
        }
        const left = yield* Effect.all({
          runs: one.list({ from: "workflowRuns", where: { workspaceId }, after: null, limit: 9 }),
          sessions: one.list({ from: "botSessions", where: { workspaceId }, after: null, limit: 9 })
        })
        expect(left.runs).toEqual(runs.slice(0, 2).reverse())
        expect(left.sessions).toEqual(sessions.slice(0, 2).reverse())
      }))

    test("purges provider message ids only without a message", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, connectionId] = [ids.next(1), ids.next(1)]
        const claim = (providerMessageId: string, more: Partial<ProviderMessage> = {}) =>
          row("providerMessages", Rows.aProviderMessage({ connectionId, workspaceId, providerMessageId, ...more }))
        const parked = { messageId: null, createdAt: 5_000_000_400 }
        yield* one.commit(
          changes(workspaceId, {
            claims: [
              claim("known", { messageId: workspaceId, createdAt: 5_000_000_400 }),
              claim("parked", parked),
              claim("met", parked),
              claim("young", { ...parked, createdAt: 5_000_000_401 })
            ]
          })
        )
        const key = { connectionId, providerMessageId: "met" }
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("providerMessages", key)],
            sets: [set("providerMessages", key, { messageId: workspaceId, parked: [] })]
          })
        )
        expect((yield* one.purge("providerMessages", 5_000_000_401, 1_000)).rows).toBe(1)
        const names = ["known", "parked", "met", "young"]
        const left = yield* one.read(
          Object.fromEntries(
            names.map((name) => [name, lookup("providerMessages", { connectionId, providerMessageId: name })])
          )
        )
        expect(names.filter((name) => left[name]?.length === 1)).toEqual(["known", "met", "young"])
      }))

    test("allows concurrent purges", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const purge = (storage: Storage) =>
          Effect.iterate(
            { last: 1, total: 0 },
            {
              while: ({ last }) => last > 0,
              body: ({ total }) =>
                Effect.map(storage.purge("attempts", 5_000_000_302, 50), ({ rows }) => ({
                  last: rows,
                  total: total + rows
                }))
            }
          )
        yield* purge(one)
        const rows = Array.from({ length: 500 }, () => Rows.anAttempt({ id: ids.next(5_000_000_301), workspaceId }))
        yield* one.commit(changes(workspaceId, { inserts: rows.map((attempt) => row("attempts", attempt)) }))
        const totals = yield* Effect.all([one, other, one, other].map(purge), { concurrency: "unbounded" })
        expect(yield* one.list({ from: "attempts", where: { workspaceId }, after: null, limit: 1 })).toEqual([])
        expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(500)
      }))
  })
