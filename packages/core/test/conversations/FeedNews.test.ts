import { expect, it } from "@effect/vitest"
import { aConversation } from "@parley/testkit"
import { Effect, Fiber, Layer, Queue, Stream, TestClock } from "effect"
import { FeedNews, layer } from "../../src/conversations/FeedNews.js"
import { Storage, StorageUnavailable } from "../../src/ports/Storage.js"

const key = { connectionId: "connection", handle: "ada" }

/** News of feeds in a storage that counts how often it is read. */
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
  return Effect.map(Layer.build(live), (built) => ({ stored, news: Effect.provide(FeedNews, built) }))
}

/** How often a stream emitted, so far. */
const counted = (news: Stream.Stream<void>) =>
  Effect.gen(function* () {
    const seen = { times: 0 }
    const count = Effect.sync(() => {
      seen.times += 1
    })
    const fiber = yield* Effect.fork(Stream.runForEach(news, () => count))
    // until it waits
    yield* TestClock.adjust(0)
    return { seen, fiber }
  })

it.scoped("looks at nothing while nobody watches", () =>
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

it.scoped("emits at once, and then only when there is more", () =>
  Effect.gen(function* () {
    const { news, stored } = yield* watching()
    const { seen } = yield* counted((yield* news).of(key))
    // and once it was looked at for the first time
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

it.scoped("tells everybody who watches, and reads for them together", () =>
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

it.scoped("holds one piece of news at most for who is slow", () =>
  Effect.gen(function* () {
    const { news } = yield* watching()
    const feeds = yield* news
    const taken = yield* Queue.bounded<void>(1)
    yield* Effect.fork(Stream.runForEach(feeds.of(key), () => Queue.offer(taken, undefined)))
    yield* Effect.yieldNow()
    for (let fed = 1; fed <= 100; fed += 1) {
      feeds.tell(key, fed)
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

it.scoped("goes on after the storage was away", () =>
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
