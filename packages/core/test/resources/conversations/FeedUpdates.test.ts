import { expect, it } from "@effect/vitest"
import { aConversation } from "@parley/testkit/rows"
import { Effect, Fiber, Layer, Queue, Stream, TestClock } from "effect"
import { Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { FeedUpdates, layer } from "../../../src/resources/conversations/FeedUpdates.js"

const key = { connectionId: "connection", handle: "ada" }

/** Feed notifications over a storage that counts its reads. */
const watching = () => {
  const stored = { fed: 0, reads: 0, down: false }
  const storage = {
    read: (queries: object) =>
      Effect.suspend(() => {
        stored.reads += 1
        if (stored.down) return new StorageUnavailable({ cause: "down" })
        const found = [aConversation({ ...key, fed: stored.fed })]
        return Effect.succeed(Object.fromEntries(Object.keys(queries).map((name) => [name, found])))
      })
  }
  const live = Layer.provide(layer, Layer.succeed(Storage, storage as unknown as Storage))
  return Effect.map(Layer.build(live), (built) => ({ stored, news: Effect.provide(FeedUpdates, built) }))
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
    const unwatch = feeds.watch(key, () => {
      calls += 1
    })
    yield* TestClock.adjust("1 seconds")
    // The first poll finds the feed's length.
    expect(calls).toBe(1)
    feeds.notify(key, 7)
    expect(calls).toBe(2)
    stored.fed = 8
    yield* TestClock.adjust("500 millis")
    expect(calls).toBe(3)
    feeds.notify({ ...key, handle: "zoe" }, 9)
    expect(calls).toBe(3)
    unwatch()
    feeds.notify(key, 10)
    yield* TestClock.adjust("1 seconds")
    const { reads } = stored
    yield* TestClock.adjust("1 minute")
    expect([calls, stored.reads]).toEqual([3, reads])
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
