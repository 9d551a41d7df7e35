import { describe, expect, it } from "@effect/vitest"
import { testIds } from "@parley/testkit/services"
import { Effect, Fiber, Layer, Logger, Ref, TestClock } from "effect"
import { purgeBatch, purgeHistory, purgePauseMs } from "../../src/housekeeping/purgeHistory.js"
import * as Decider from "../../src/kernel/Decider.js"
import { day } from "../../src/model/Instant.js"
import { defaultRetention, type Retention } from "../../src/model/Retention.js"
import { CommitOutcome, Storage, StorageUnavailable } from "../../src/ports/Storage.js"

type Purge = Parameters<Storage["purge"]>

const unavailable = new StorageUnavailable({ cause: new Error("timeout") })

/**
 * A storage with this many old rows in each table; it records its calls, and fails those of one table, or the commits
 * (`commit`).
 */
const storageWith = (old: { readonly [table: string]: number }, failing?: string) =>
  Effect.map(Effect.all([Ref.make<ReadonlyArray<Purge>>([]), Ref.make(old)]), ([requests, left]) => ({
    requests: Ref.get(requests),
    read: (() => Effect.succeed({ records: [] })) as unknown as Storage["read"],
    commit: () => (failing === "commit" ? unavailable : Effect.succeed(CommitOutcome.Committed({ bumped: [] }))),
    purge: (...purge: Purge) =>
      Effect.zipRight(
        Effect.zipRight(
          Ref.update(requests, (before) => [...before, purge]),
          purge[0] === failing ? unavailable : Effect.void
        ),
        Ref.modify(left, (rows) => {
          const [table, , limit] = purge
          const all = rows[table] ?? 0
          const gone = Math.min(all, limit)
          return [
            { rows: gone, last: gone === 0 ? null : `row ${all - gone}` },
            { ...rows, [table]: all - gone }
          ]
        })
      )
  }))

const purge = (given: object, retention: Retention = defaultRetention) => {
  const storage = given as Storage
  return Effect.flatMap(Decider.Decider, (decider) => purgeHistory(storage, decider, retention)).pipe(
    Effect.provide(Layer.scoped(Decider.Decider, Decider.make)),
    Effect.provide(Layer.merge(Layer.succeed(Storage, storage), testIds))
  )
}

describe("purgeHistory", () => {
  it.effect("applies the retention of each table, attempts and deliveries before events", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000 * day)
      const storage = yield* storageWith({})
      const retention = { events: 9 * day, deliveries: 8 * day, attempts: 7 * day, requestLog: 6 * day, runs: 5 * day }
      yield* purge(storage, retention)
      const requests = new Map((yield* storage.requests).map(([table, before]) => [table, before]))
      expect(requests.get("events")).toBe(991 * day)
      expect(requests.get("deliveries")).toBe(992 * day)
      expect(requests.get("attempts")).toBe(993 * day)
      expect(requests.get("requestLog")).toBe(994 * day)
      expect(requests.get("unknownEvents")).toBe(994 * day)
      expect(requests.get("workflowRuns")).toBe(995 * day)
      expect(requests.get("botSessions")).toBe(995 * day)
      expect(requests.get("providerMessages")).toBe(993 * day)
      expect(requests.get("accessTokens")).toBe(1_000 * day)
      const order = [...requests.keys()]
      expect(order.indexOf("attempts")).toBeLessThan(order.indexOf("deliveries"))
      expect(order.indexOf("deliveries")).toBeLessThan(order.indexOf("events"))
    })
  )

  it.effect("purges the other tables if one cannot be purged, and keeps events whose deliveries are kept", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000 * day)
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(`${message}`))
      const tablesPurged = (failing: string) =>
        Effect.gen(function* () {
          const storage = yield* storageWith({}, failing)
          yield* purge(storage)
          return (yield* storage.requests).map(([table]) => table).filter((table) => table !== failing)
        }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      const all = yield* tablesPurged("none")
      for (const failing of all) {
        const after = failing === "attempts" ? ["deliveries", "events"] : failing === "deliveries" ? ["events"] : []
        expect(yield* tablesPurged(failing)).toEqual(all.filter((table) => table !== failing && !after.includes(table)))
        expect(logged.pop()).toMatch(new RegExp(`^old rows of ${failing} could not be purged: `))
      }
      expect(logged).toEqual([])
      // Without the record, other hosts would not know how far deliveries are purged.
      expect(yield* tablesPurged("commit")).toEqual(all.filter((table) => !["deliveries", "events"].includes(table)))
      expect(logged.pop()).toMatch(/^old rows of deliveries could not be purged: /)
    })
  )

  it.effect("deletes in bounded batches with pauses", () =>
    Effect.gen(function* () {
      const storage = yield* storageWith({ attempts: 2 * purgeBatch + 1 })
      const batches = Effect.map(
        storage.requests,
        (requests) => requests.filter(([table]) => table === "attempts").length
      )
      const fiber = yield* Effect.fork(purge(storage))
      yield* TestClock.adjust(0)
      expect(yield* batches).toBe(1)
      yield* TestClock.adjust(purgePauseMs - 1)
      expect(yield* batches).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* batches).toBe(2)
      yield* TestClock.adjust(purgePauseMs)
      yield* Fiber.join(fiber)
      expect(yield* batches).toBe(3)
      for (const [, , limit] of yield* storage.requests) expect(limit).toBeLessThanOrEqual(1_000)
    })
  )

  it.effect("goes on after the rows of the previous batch", () =>
    Effect.gen(function* () {
      const storage = yield* storageWith({ attempts: 2 * purgeBatch + 1 })
      const fiber = yield* Effect.fork(purge(storage))
      yield* TestClock.adjust(2 * purgePauseMs)
      yield* Fiber.join(fiber)
      const from = (yield* storage.requests).flatMap(([table, , , from]) => (table === "attempts" ? [from] : []))
      expect(from).toEqual([null, `row ${purgeBatch + 1}`, "row 1"])
      const [deliveries] = (yield* storage.requests).filter(([table]) => table === "deliveries")
      expect(deliveries?.[3]).toBe(null)
    })
  )
})
