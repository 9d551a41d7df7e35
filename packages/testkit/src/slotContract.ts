import type { Instant, Reservation, Storage } from "@parley/core"
import { Effect, FastCheck } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"

const reservation = (key: string, now: Instant, rate: Partial<Reservation> = {}): Reservation => ({
  key,
  now,
  messages: 10,
  per: 1_000,
  burst: 1,
  behind: 0,
  ...rate
})

/** The reference: one slot queue, call by call, with a burst and a rate. */
const naive = () => {
  let turn = 0
  return ({ burst, messages, now, per }: Reservation): Instant => {
    const share = Math.ceil((per * 1_000) / messages)
    turn = Math.max(turn, now * 1_000)
    const slot = Math.max(now, Math.ceil((turn - (burst - 1) * share) / 1_000))
    turn += share
    return slot
  }
}

/** The most slots that any stretch of time of this length has; the slots are sorted. */
const maxWithin = (slots: ReadonlyArray<Instant>, length: number): number =>
  Math.max(...slots.map((from) => slots.filter((slot) => slot >= from && slot < from + length).length))

/** The slots of a queue are assigned in order and at its rate, over all hosts. */
export const slotContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("slots", database, options, (test) => {
    test("assigns each message the next slot of its queue", ({ one, other }) =>
      Effect.gen(function* () {
        const reserve = (host: Storage, now: Instant) => host.reserveSlot(reservation("order", now))
        expect(yield* reserve(one, 5_000)).toBe(5_000)
        expect(yield* reserve(other, 5_000)).toBe(5_100)
        expect(yield* reserve(one, 5_050)).toBe(5_200)
        expect(yield* reserve(one, 9_000)).toBe(9_000)
        expect(yield* one.reserveSlot(reservation("another", 5_000))).toBe(5_000)
      }))

    test("allows a burst at once, and again after the time that it takes", ({ one }) =>
      Effect.gen(function* () {
        const reserve = (now: Instant) => one.reserveSlot(reservation("burst", now, { burst: 3 }))
        const slots = (now: Instant, times: number) => Effect.all(Array.from({ length: times }, () => reserve(now)))
        expect(yield* slots(1_000, 5)).toEqual([1_000, 1_000, 1_000, 1_100, 1_200])
        expect(yield* slots(1_400, 2)).toEqual([1_400, 1_400])
        expect(yield* slots(9_000, 4)).toEqual([9_000, 9_000, 9_000, 9_100])
      }))

    test("rounds a rate down, and a slot up", ({ one }) =>
      Effect.gen(function* () {
        const reserve = one.reserveSlot(reservation("thirds", 1_000, { messages: 3, per: 10 }))
        expect(yield* Effect.all([reserve, reserve, reserve, reserve])).toEqual([1_000, 1_004, 1_007, 1_011])
      }))

    test("equals the reference for any calls", ({ one }) =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.uuid(),
            FastCheck.array(
              FastCheck.record({
                now: FastCheck.integer({ min: 1_000_000, max: 1_003_000 }),
                messages: FastCheck.integer({ min: 1, max: 2_000 }),
                per: FastCheck.integer({ min: 1, max: 5_000 }),
                burst: FastCheck.integer({ min: 1, max: 5 })
              }),
              { minLength: 1, maxLength: 12 }
            ),
            async (key, calls) => {
              const expected = naive()
              for (const call of calls) {
                const requested = reservation(key, call.now, call)
                expect(await Effect.runPromise(one.reserveSlot(requested))).toBe(expected(requested))
              }
            }
          ),
          { numRuns: 40 }
        )
      ))

    test("never exceeds burst and rate, for any number of hosts and callers", ({ one, other }) =>
      Effect.gen(function* () {
        const rate = { messages: 50, per: 1_000, burst: 5 }
        const callers = (host: Storage) =>
          Array.from({ length: 300 }, (_, n) => host.reserveSlot(reservation("crowd", 20_000 + (n % 40), rate)))
        const slots = yield* Effect.all([...callers(one), ...callers(other)], { concurrency: "unbounded" })
        const sorted = [...slots].sort((a, b) => a - b)
        for (const length of [20, 100, 1_000, 5_000]) {
          expect(maxWithin(sorted, length)).toBeLessThanOrEqual(rate.burst + (length * rate.messages) / rate.per)
        }
        // No slot is lost either: the last one follows when all before it have taken their share.
        expect(sorted.at(-1)).toBeLessThanOrEqual(20_039 + (600 - rate.burst) * 20)
      }))

    test("purges slot queues that have expired by the clock, and no others, however late their virtual time is", ({
      one
    }) =>
      Effect.gen(function* () {
        const hour = 3_600_000
        const reserve = (key: string, behind: number) =>
          one.reserveSlot(reservation(key, 1_000, { behind, messages: 1 }))
        const purge = (before: Instant) => Effect.map(one.purge("sendSlots", before, 1_000), ({ rows }) => rows)
        yield* purge(10 * hour)
        yield* reserve("over", 0)
        for (const key of ["held", "held", "held"]) yield* reserve(key, 20 * hour)
        expect(yield* purge(2_000)).toBe(0)
        expect(yield* purge(2_001 + hour)).toBe(1)
        expect([yield* reserve("over", 0), yield* reserve("held", 20 * hour)]).toEqual([1_000, 4_000])
        expect(yield* purge(15 * hour)).toBe(1)
        expect(yield* reserve("held", 20 * hour)).toBe(5_000)
      }))
  })
