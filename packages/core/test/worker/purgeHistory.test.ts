import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Ref, TestClock } from "effect"
import { day } from "../../src/Instant.js"
import type { Storage } from "../../src/ports/Storage.js"
import { purgeBatch, purgeHistory, purgePauseMs } from "../../src/worker/purgeHistory.js"
import { defaultRetention } from "../../src/worker/Retention.js"

type Purge = Parameters<Storage["purge"]>

/** A storage whose tables have as many old rows as are given; it remembers what it was asked. */
const storageWith = (old: { readonly [table: string]: number }) =>
  Effect.map(Effect.all([Ref.make<ReadonlyArray<Purge>>([]), Ref.make(old)]), ([asked, left]) => ({
    asked: Ref.get(asked),
    purge: (...purge: Purge) =>
      Effect.zipRight(
        Ref.update(asked, (before) => [...before, purge]),
        Ref.modify(left, (rows) => {
          const [table, , limit] = purge
          const gone = Math.min(rows[table] ?? 0, limit)
          return [gone, { ...rows, [table]: (rows[table] ?? 0) - gone }]
        })
      )
  }))

describe("purging history", () => {
  it.effect("goes by the retention of each kind, deliveries before their events", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000 * day)
      const storage = yield* storageWith({})
      const retention = { events: 9 * day, deliveries: 8 * day, attempts: 7 * day, requestLog: 6 * day, runs: 5 * day }
      yield* purgeHistory(storage, retention)
      const asked = new Map((yield* storage.asked).map(([table, before]) => [table, before]))
      expect(asked.get("events")).toBe(991 * day)
      expect(asked.get("deliveries")).toBe(992 * day)
      expect(asked.get("attempts")).toBe(993 * day)
      expect(asked.get("requestLog")).toBe(994 * day)
      expect(asked.get("unknownEvents")).toBe(994 * day)
      expect(asked.get("workflowRuns")).toBe(995 * day)
      expect(asked.get("botSessions")).toBe(995 * day)
      expect(asked.get("providerMessages")).toBe(993 * day)
      expect(asked.get("accessTokens")).toBe(1_000 * day)
      const order = [...asked.keys()]
      expect(order.indexOf("attempts")).toBeLessThan(order.indexOf("deliveries"))
      expect(order.indexOf("deliveries")).toBeLessThan(order.indexOf("events"))
    })
  )

  it.effect("takes a bounded batch at a time, and leaves the database to others in between", () =>
    Effect.gen(function* () {
      const storage = yield* storageWith({ attempts: 2 * purgeBatch + 1 })
      const batches = Effect.map(storage.asked, (asked) => asked.filter(([table]) => table === "attempts").length)
      const fiber = yield* Effect.fork(purgeHistory(storage, defaultRetention))
      yield* TestClock.adjust(0)
      expect(yield* batches).toBe(1)
      yield* TestClock.adjust(purgePauseMs - 1)
      expect(yield* batches).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* batches).toBe(2)
      yield* TestClock.adjust(purgePauseMs)
      yield* Fiber.join(fiber)
      expect(yield* batches).toBe(3)
      for (const [, , limit] of yield* storage.asked) expect(limit).toBeLessThanOrEqual(1_000)
    })
  )
})
