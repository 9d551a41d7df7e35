import { assert, describe, expect, it } from "@effect/vitest"
import { aConnection, aJob, channelsNamed, makeTestIds } from "@parley/testkit/rows"
import { Effect, Fiber, Logger, LogLevel, Schema, TestClock } from "effect"
import { poll } from "../../../src/flows/fetches/poll.js"
import { StorageUnavailable } from "../../../src/index.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import type { Job } from "../../../src/model/Job.js"
import { BlobsUnavailable } from "../../../src/ports/Blobs.js"
import type { RowOf } from "../../../src/ports/Changes.js"
import { type ChannelProvider, type Polled, ProviderUnavailable } from "../../../src/ports/ChannelProvider.js"
import type { FetchContext, FetchResult } from "../../../src/resources/channels/Fetch.js"

const mail = (n: number) => InboundEvent.Unknown({ kind: "mail", raw: `${n}` })
const answering = (answer: (cursor: unknown) => Effect.Effect<Polled, ProviderUnavailable>): ChannelProvider => ({
  kind: "post",
  channels: channelsNamed("email"),
  config: Schema.Unknown,
  credentials: Schema.Unknown,
  capabilities: () => {
    throw new Error("not asked for here")
  },
  parseHandle: () => {
    throw new Error("not asked for here")
  },
  dedupes: false,
  send: () => {
    throw new Error("not asked for here")
  },
  poll: (_connection, _credentials, cursor) => answer(cursor)
})
const silentPost = answering(() => Effect.fail(new ProviderUnavailable({ reason: "the server is away" })))
const connection = aConnection({ channel: "email", provider: "post" })
const reach = (provider: ChannelProvider, given: Partial<FetchContext> = {}): FetchContext => ({
  connection,
  provider,
  credentials: null,
  ...given
})
const job = (payload: Job["payload"] = { task: "poll" }) => aJob({ id: connection.id, lane: "fetches", payload })
const took: Array<unknown> = []
const pollOnce = poll({ take: (_connection, events) => Effect.sync(() => void took.push(...events)) }, makeTestIds())
const againOf = (fetched: FetchResult | null) => fetched?.again ?? assert.fail("the poll has ended")

describe("a poll", () => {
  it.effect("stores the vendor's events before the cursor advances", () =>
    Effect.gen(function* () {
      took.length = 0
      const post = answering((cursor) =>
        Effect.succeed({ events: [mail(1)], cursor: { after: cursor }, againInMs: 60_000 })
      )
      expect(yield* pollOnce(job(), reach(post))).toEqual({
        again: { inMs: 60_000, payload: { task: "poll", cursor: { after: null } } }
      })
      expect(took).toEqual([mail(1)])
      expect(againOf(yield* pollOnce(job({ task: "poll", cursor: 7 }), reach(post))).payload).toEqual({
        task: "poll",
        cursor: { after: 7 }
      })
      const down = new StorageUnavailable({ cause: "down" })
      const failing = poll({ take: () => Effect.fail(down) }, makeTestIds())
      expect(yield* Effect.flip(failing(job(), reach(post)))).toBe(down)
    })
  )
  it.effect("fails, to be repeated, if the provider returns no events or no time", () =>
    Effect.gen(function* () {
      took.length = 0
      for (const polled of [
        undefined,
        { events: {}, cursor: 1, againInMs: 1 },
        { events: [], cursor: 1, againInMs: NaN }
      ]) {
        const { inMs, payload } = againOf(
          yield* pollOnce(job(), reach(answering(() => Effect.succeed(polled as Polled))))
        )
        expect(inMs).toBeGreaterThan(0)
        expect(payload).toMatchObject({ cursor: null, failing: { times: 1 } })
      }
      const early = answering(() => Effect.succeed({ events: [], cursor: 1, againInMs: -60_000 }))
      expect(againOf(yield* pollOnce(job(), reach(early))).inMs).toBe(0)
      expect(took).toEqual([])
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
  it.effect("retries a failing vendor with backoff from the same cursor", () =>
    Effect.gen(function* () {
      let payload: Job["payload"] = { task: "poll", cursor: 7 }
      const pauses: Array<number> = []
      for (let n = 0; n < 10; n++) {
        const next = againOf(yield* pollOnce(job(payload), reach(silentPost)))
        pauses.push(next.inMs)
        payload = next.payload
      }
      expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * 1_000))
      expect(payload).toMatchObject({ cursor: 7, failing: { times: 10 } })
    })
  )
  it.effect("times out a poll without an answer and retries", () =>
    Effect.gen(function* () {
      const polling = yield* Effect.fork(pollOnce(job(), reach(answering(() => Effect.never))))
      yield* TestClock.adjust("5 minutes")
      expect(againOf(yield* Fiber.join(polling))).toMatchObject({ inMs: 5_000, payload: { failing: { times: 1 } } })
    })
  )
  it.effect("treats a defect like a vendor failure", () =>
    Effect.gen(function* () {
      const throws = answering(() => {
        throw new Error("not foreseen")
      })
      for (const broken of [answering(() => Effect.dieMessage("not foreseen")), throws]) {
        expect(againOf(yield* pollOnce(job({ task: "poll", cursor: 7 }), reach(broken)))).toMatchObject({
          inMs: 5_000,
          payload: { cursor: 7, failing: { times: 1 } }
        })
      }
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
  it.effect("notifies the administrators once after an hour of failures, and again after a success", () =>
    Effect.gen(function* () {
      const reported: Array<string> = []
      let payload: Job["payload"] = { task: "poll" }
      const fail = Effect.gen(function* () {
        const fetched = yield* pollOnce(job(payload), reach(silentPost))
        payload = againOf(fetched).payload
        for (const insert of (fetched?.parts ?? []).flatMap(({ inserts = [] }) => inserts)) {
          if (insert.table === "notifications") reported.push((insert as RowOf<"notifications">).row.message)
        }
      })
      for (let minutes = 0; minutes < 180; minutes += 10) {
        yield* fail
        expect(reported).toHaveLength(minutes < 60 ? 0 : 1)
        yield* TestClock.adjust("10 minutes")
      }
      expect(reported[0]).toContain("the server is away")
      const post = answering(() => Effect.succeed({ events: [], cursor: 1, againInMs: 1 }))
      payload = againOf(yield* pollOnce(job(payload), reach(post))).payload
      yield* fail
      yield* TestClock.adjust("1 hours")
      yield* fail
      expect(reported).toHaveLength(2)
    })
  )
  it.effect("fails while files cannot be stored, from the same cursor, and says so", () =>
    Effect.gen(function* () {
      const full = new StorageUnavailable({ cause: new BlobsUnavailable({ reason: "the disk is full" }) })
      const pollFull = poll({ take: () => Effect.fail(full) }, makeTestIds())
      const post = answering(() => Effect.succeed({ events: [mail(1)], cursor: 8, againInMs: 60_000 }))
      const first = yield* pollFull(job({ task: "poll", cursor: 7 }), reach(post))
      expect(againOf(first)).toMatchObject({ inMs: 5_000, payload: { cursor: 7, failing: { times: 1 } } })
      yield* TestClock.adjust("1 hours")
      expect(yield* pollFull(job(againOf(first).payload), reach(post))).toMatchObject({
        parts: [{ inserts: [{ row: { message: expect.stringContaining("the disk is full") } }, {}] }]
      })
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
  it.effect("also reads for a paused connection", () =>
    Effect.gen(function* () {
      const paused = aConnection({ channel: "email", provider: "post", status: "paused" })
      const post = answering((cursor) => Effect.succeed({ events: [], cursor: { after: cursor }, againInMs: 60_000 }))
      const fetched = yield* pollOnce(job({ task: "poll", cursor: 7 }), reach(post, { connection: paused }))
      expect(againOf(fetched)).toEqual({ inMs: 60_000, payload: { task: "poll", cursor: { after: 7 } } })
    })
  )
  it.effect("keeps its cursor, and does not call the vendor, while the connection is disconnected", () =>
    Effect.gen(function* () {
      const disconnected = aConnection({ channel: "email", provider: "post", status: "disconnected" })
      const uncalled = answering(() => assert.fail("the vendor was called"))
      const waiting = job({ task: "poll", cursor: 7, failing: { since: 0, times: 3 } })
      expect(yield* pollOnce(waiting, reach(uncalled, { connection: disconnected }))).toEqual({
        again: { inMs: 60_000, payload: { task: "poll", cursor: 7 } }
      })
    })
  )
  it.effect("ends if the provider has no polls, and expects the connection's status", () =>
    Effect.gen(function* () {
      const { poll: _none, ...pushing } = silentPost
      const paused = aConnection({ channel: "email", provider: "post", status: "paused" })
      expect(yield* pollOnce(job(), reach(pushing, { connection: paused }))).toMatchObject({
        again: null,
        parts: [{ expects: [{ table: "connections", key: { id: paused.id }, where: { status: "paused" } }] }]
      })
    })
  )
})
