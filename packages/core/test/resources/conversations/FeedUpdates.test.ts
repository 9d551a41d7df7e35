import { expect, it } from "@effect/vitest"
import { aConversation } from "@parley/testkit/rows"
import { Effect, Fiber, Layer, Queue, Stream, TestClock } from "effect"
import { Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { FeedUpdates, make } from "../../../src/resources/conversations/FeedUpdates.js"
import { quietWakeup } from "../../quietWakeup.js"

const key = { connectionId: "connection", handle: "ada" }

/** Feed notifications over a storage that counts its reads, with hints of other processes. */
const watching = () => {
  const stored = { fed: 0, reads: 0, lookups: 0, down: false }
  const storage = {
    read: (queries: object) =>
      Effect.suspend(() => {
        stored.reads += 1
        stored.lookups += Object.keys(queries).length
        if (stored.down) return new StorageUnavailable({ cause: "down" })
        const found = [aConversation({ ...key, fed: stored.fed })]
        return Effect.succeed(Object.fromEntries(Object.keys(queries).map((name) => [name, found])))
      })
  }
  return Effect.gen(function* () {
    const hints = yield* Queue.unbounded<ReadonlySet<string>>()
    const reported: Array<string> = []
    const wakeup = quietWakeup({
      notifyFeeds: (names) => Effect.sync(() => reported.push(...names)),
      grownFeeds: Effect.succeed(hints)
    })
    const ports = Layer.merge(Layer.succeed(Storage, storage as unknown as Storage), wakeup)
    const built = yield* Layer.build(Layer.provide(Layer.scoped(FeedUpdates, make), ports))
    return { stored, hints, reported, news: Effect.provide(FeedUpdates, built) }
  })
}

/** Counts the elements that a stream has emitted. */
const counted = (news: Stream.Stream<void>) =>
  Effect.gen(function* () {
    const seen = { times: 0 }
    const count = Effect.sync(() => {
      seen.times += 1
    })
    const fiber = yield* Effect.fork(Stream.runForEach(news, () => count))
    // let the stream start and wait
    yield* TestClock.adjust(0)
    return { seen, fiber }
  })

it.scoped("reads nothing without readers", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    yield* TestClock.adjust("1 minute")
    expect(stored.reads).toBe(0)
    const { fiber } = yield* counted((yield* news).of(key))
    yield* TestClock.adjust("5 seconds")
    const { reads } = stored
    expect(reads).toBeGreaterThanOrEqual(10)
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("1 minute")
    expect(stored.reads).toBeLessThanOrEqual(reads + 1)
  })
)

it.scoped("emits at once, then only when the feed grows", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const { seen } = yield* counted((yield* news).of(key))
    // a second element may follow the first poll
    const quiet = seen.times
    expect([1, 2]).toContain(quiet)
    yield* TestClock.adjust("10 seconds")
    expect(seen.times).toBe(quiet)
    stored.fed = 1
    yield* TestClock.adjust("500 millis")
    expect(seen.times).toBe(quiet + 1)
    yield* TestClock.adjust("10 seconds")
    expect(seen.times).toBe(quiet + 1)
  })
)

it.scoped("calls a listener when its feed grows, until it no longer watches", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const feeds = yield* news
    let calls = 0
    const unwatch = feeds.watch(key, 0, () => {
      calls += 1
    })
    yield* TestClock.adjust("1 seconds")
    expect(calls).toBe(0)
    feeds.notify(key, 7)
    expect(calls).toBe(1)
    stored.fed = 8
    yield* TestClock.adjust("500 millis")
    expect(calls).toBe(2)
    feeds.notify({ ...key, handle: "zoe" }, 9)
    expect(calls).toBe(2)
    unwatch()
    feeds.notify(key, 10)
    yield* TestClock.adjust("1 seconds")
    const { reads } = stored
    yield* TestClock.adjust("1 minute")
    expect([calls, stored.reads]).toEqual([2, reads])
  })
)

it.scoped("notifies all readers with one read", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const feeds = yield* news
    const all = yield* Effect.forEach(["ada", "ada", "zoe"], (handle) => counted(feeds.of({ ...key, handle })))
    yield* TestClock.adjust("500 millis")
    const before = all.map(({ seen }) => seen.times)
    const { reads } = stored
    stored.fed = 1
    yield* TestClock.adjust("500 millis")
    expect(stored.reads).toBe(reads + 1)
    expect(all.map(({ seen }) => seen.times)).toEqual(before.map((times) => times + 1))
  })
)

it.scoped("buffers at most one notification for a slow reader", () =>
  Effect.gen(function* () {
    const { news } = yield* watching()
    const feeds = yield* news
    const taken = yield* Queue.bounded<void>(1)
    yield* Effect.fork(Stream.runForEach(feeds.of(key), () => Queue.offer(taken, undefined)))
    yield* Effect.yieldNow()
    for (let fed = 1; fed <= 100; fed += 1) {
      feeds.notify(key, fed)
      yield* Effect.yieldNow()
    }
    let times = 0
    while ((yield* Queue.size(taken)) > 0) {
      yield* Queue.take(taken)
      times += 1
      yield* Effect.yieldNow()
    }
    expect(times).toBeGreaterThan(0)
    expect(times).toBeLessThan(10)
  })
)

it.scoped("continues after the storage was unavailable", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const { seen } = yield* counted((yield* news).of(key))
    yield* TestClock.adjust("1 second")
    stored.down = true
    yield* TestClock.adjust("10 seconds")
    const before = seen.times
    stored.down = false
    stored.fed = 1
    yield* TestClock.adjust("500 millis")
    expect(seen.times).toBe(before + 1)
  })
)

it.scoped("reads a feed at once when another process reports that it grew", () =>
  Effect.gen(function* () {
    const { hints, news, reported, stored } = yield* watching()
    const feeds = yield* news
    let calls = 0
    feeds.watch(key, 0, () => {
      calls += 1
    })
    yield* TestClock.adjust("100 millis")
    // The name under which a process reports its own message is the one that it knows of others.
    feeds.notify(key, 0)
    yield* TestClock.adjust(0)
    expect([reported.length, calls]).toEqual([1, 0])
    stored.fed = 1
    yield* Queue.offer(hints, new Set([...reported, "another"]))
    yield* TestClock.adjust(0)
    expect(calls).toBe(1)
    const { reads } = stored
    yield* Queue.offer(hints, new Set(["another"]))
    yield* TestClock.adjust(0)
    expect(stored.reads).toBe(reads)
  })
)

it.scoped("reads at most 250 feeds in an interval, and all of them in turn", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const feeds = yield* news
    const noticed = new Set<number>()
    for (let n = 0; n < 600; n += 1) feeds.watch({ ...key, handle: `visitor ${n}` }, 0, () => noticed.add(n))
    yield* TestClock.adjust("2 seconds")
    stored.fed = 1
    stored.lookups = 0
    stored.reads = 0
    yield* TestClock.adjust("1500 millis")
    expect([stored.reads, stored.lookups, noticed.size]).toEqual([3, 750, 600])
  })
)
