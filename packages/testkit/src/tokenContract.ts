import { changes, lookup, type RateTokenRequest, row, type Storage } from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

const tokenRequest = (bucket: string, now: number, limit = 3): RateTokenRequest => ({
  bucket,
  limit,
  windowMs: 60_000,
  now
})

/** A window grants as many tokens as its limit, over all hosts. */
export const tokenContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("tokens", database, options, (test) => {
    test("opens a window with the first token and closes it after its time", ({ one }) =>
      Effect.gen(function* () {
        const take = (now: number) => one.takeToken(tokenRequest("window", now))
        const window = { limit: 3, openedAt: 1_000, resetAt: 61_000 }
        expect(yield* take(1_000)).toEqual({ ...window, granted: true, remaining: 2 })
        expect(yield* take(30_000)).toEqual({ ...window, granted: true, remaining: 1 })
        expect(yield* take(60_999)).toEqual({ ...window, granted: true, remaining: 0 })
        expect(yield* take(60_999)).toEqual({ ...window, granted: false, remaining: 0 })
        expect(yield* take(61_000)).toEqual({
          limit: 3,
          granted: true,
          remaining: 2,
          openedAt: 61_000,
          resetAt: 121_000
        })
      }))

    test("opens a new window after the clock was set back by more than its length", ({ one }) =>
      Effect.gen(function* () {
        const take = (now: number) => one.takeToken(tokenRequest("set back", now))
        const at = 10_000_000
        for (const granted of [true, true, true, false]) expect(yield* take(at)).toMatchObject({ granted })
        expect(yield* take(at - 60_000)).toMatchObject({ granted: false, openedAt: at })
        const before = at - 3_600_000
        expect(yield* take(before)).toMatchObject({ granted: true, remaining: 2, openedAt: before })
        expect(yield* take(before + 61_000)).toMatchObject({ granted: true, remaining: 2, openedAt: before + 61_000 })
      }))

    test("refunds a token into its own window only, and never more than were taken", ({ one }) =>
      Effect.gen(function* () {
        const take = (now: number) => one.takeToken(tokenRequest("back", now))
        for (const now of [0, 1, 2, 3, 4, 5]) yield* take(now)
        yield* one.refundToken("back", 0)
        expect(yield* take(6)).toMatchObject({ granted: true, remaining: 0 })
        expect(yield* take(7)).toMatchObject({ granted: false })
        yield* one.refundToken("back", 99)
        expect(yield* take(8)).toMatchObject({ granted: false })
        yield* Effect.repeatN(one.refundToken("back", 0), 9)
        for (const granted of [true, true, true, false]) expect(yield* take(9)).toMatchObject({ granted })
      }))

    test("keeps the tokens taken when the limit changes", ({ one, other }) =>
      Effect.gen(function* () {
        const take = (host: Storage, limit: number) =>
          Effect.map(host.takeToken(tokenRequest("changing", 5, limit)), ({ granted }) => granted)
        const granted = (host: Storage, limit: number, times: number) =>
          Effect.map(
            Effect.all(Array.from({ length: times }, () => take(host, limit))),
            (all) => all.filter((one) => one).length
          )
        expect(yield* granted(one, 10, 12)).toBe(10)
        expect(yield* granted(other, 4, 3)).toBe(0)
        expect(yield* granted(one, 10, 3)).toBe(0)
        expect(yield* granted(one, 12, 5)).toBe(2)
        expect(yield* granted(other, 4, 1)).toBe(0)
        expect(yield* granted(other, 12, 5)).toBe(0)
      }))

    test("grants exactly the limit to many callers of two hosts", ({ one, other }) =>
      Effect.gen(function* () {
        const takers = (host: Storage) =>
          Array.from({ length: 600 }, (_, n) => host.takeToken(tokenRequest(`b${n % 4}`, n, 100)))
        const rateToken = yield* Effect.all([...takers(one), ...takers(other)], { concurrency: "unbounded" })
        expect(rateToken.filter(({ granted }) => granted)).toHaveLength(400)
        const remaining = rateToken.filter(({ granted }) => granted).map((token) => token.remaining)
        expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, n) => Math.floor(n / 4)))
      }))

    test("keeps buckets and slot queues apart whose names differ in one character", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const long = `${"x".repeat(80)} ${ids.next(1)}`
        const names = [
          "bucket a",
          "bucket A",
          "bucket a ",
          "bucket \u00e4",
          ...["1", "2"].map((end) => `${long}${end}`)
        ]
        const take = (host: Storage) =>
          Effect.forEach(names, (name) =>
            Effect.map(host.takeToken(tokenRequest(name, 1, 1)), ({ granted }) => granted)
          )
        expect(yield* take(one)).toEqual(names.map(() => true))
        expect(yield* take(other)).toEqual(names.map(() => false))
        const slot = { messages: 1, per: 1_000, burst: 1, now: 5_000, behind: 0 }
        const reserve = (host: Storage) => Effect.forEach(names, (key) => host.reserveSlot({ ...slot, key }))
        expect(yield* reserve(one)).toEqual(names.map(() => 5_000))
        expect(yield* reserve(other)).toEqual(names.map(() => 6_000))
      }))

    test("takes several tokens in one call, in the order of the requests", ({ one, other }) =>
      Effect.gen(function* () {
        const requests = (bucket: string, times: number) =>
          Array.from({ length: times }, () => tokenRequest(bucket, 1, 3))
        const [mixed, rest] = yield* Effect.all(
          [one.takeTokens([...requests("several", 2), ...requests("another", 1)]), other.takeTokens([])],
          { concurrency: "unbounded" }
        )
        expect(mixed.map(({ granted, remaining }) => [granted, remaining])).toEqual([
          [true, 2],
          [true, 1],
          [true, 2]
        ])
        expect(rest).toEqual([])
        const last = yield* other.takeTokens(requests("several", 2))
        expect(last.map(({ granted }) => granted)).toEqual([true, false])
      }))

    test("takes tokens with a read as without one, whatever the read finds", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const team = Rows.aTeam({ id: ids.next(1), workspaceId: ids.next(1) })
        yield* one.commit(changes(team.workspaceId, { inserts: [row("teams", team)] }))
        const asking = (host: Storage, n: number) =>
          n % 3 === 0
            ? Effect.map(host.takeToken(tokenRequest("mixed", n, 40)), (rateToken) => ({
                rateToken,
                found: { teams: [team], none: [] }
              }))
            : host.readAndTakeToken(
                { teams: lookup("teams", { id: team.id }), none: n % 3 === 1 ? null : lookup("teams", { id: "none" }) },
                tokenRequest("mixed", n, 40)
              )
        const requests = Array.from({ length: 90 }, (_, n) => asking(n % 2 === 0 ? one : other, n))
        const replies = yield* Effect.all(requests, { concurrency: "unbounded" })
        expect(replies.filter(({ rateToken }) => rateToken.granted)).toHaveLength(40)
        for (const { found } of replies) expect(found).toEqual({ teams: [team], none: [] })
      }))

    test("purges expired buckets", ({ one }) =>
      Effect.gen(function* () {
        yield* one.takeToken(tokenRequest("old", -50))
        expect(yield* one.purge("buckets", -49, 10)).toEqual({ rows: 1, last: -50 })
        expect(yield* one.takeToken(tokenRequest("old", -40))).toMatchObject({ openedAt: -40, remaining: 2 })
      }))
  })
