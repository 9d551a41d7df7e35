import { expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Option, Stream, TestClock } from "effect"
import { memoryContext } from "./memoryContext.js"
import { bodyOf, streamOf, webchatAt } from "./visits.js"

const setting = Effect.gen(function* () {
  const context = memoryContext()
  const webchat = webchatAt(context)
  const { token, handle } = yield* webchat.open()
  /** Follows the feed, in the background: what came so far. */
  const follow = (lastEventId?: string, query: { readonly after?: string } = {}) =>
    Effect.gen(function* () {
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const answer = yield* webchat.get("/stream", token, { headers, query })
      const texts: Array<string> = []
      const fiber = yield* Effect.fork(
        Stream.runForEach(Stream.decodeText(streamOf(answer)), (text) => Effect.sync(() => texts.push(text)))
      )
      yield* settled
      const places = () => [...texts.join("").matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
      return { fiber, texts, places }
    })
  return { ...webchat, door: context, token, handle, follow }
})

/** Lets everything that can go on now go on. */
const settled = Effect.repeatN(Effect.yieldNow(), 200)

it.effect("tells what was sent before and what comes", () =>
  Effect.gen(function* () {
    const { door: context, handle, follow } = yield* setting
    const first = context.push(handle, "one")
    const { texts, places } = yield* follow()
    context.push(handle, "two")
    yield* settled
    expect(places()).toEqual([1, 2])
    const data = JSON.stringify({
      id: first.id,
      direction: "outbound",
      body: "one",
      client_id: null,
      is_read: false,
      created_at: new Date(first.createdAt).toISOString()
    })
    expect(texts.slice(0, 2)).toEqual(["retry: 1000\n\n", `id: 1\ndata: ${data}\n\n`])
  })
)

it.effect("goes on after the place that the page knows, and misses nothing of a long absence", () =>
  Effect.gen(function* () {
    const { door: context, handle, follow } = yield* setting
    for (let n = 0; n < 350; n += 1) context.push(handle, String(n))
    const { places } = yield* follow("20")
    expect(places()).toEqual(Array.from({ length: 330 }, (_, n) => 21 + n))
    expect((yield* follow(undefined, { after: "348" })).places()).toEqual([349, 350])
  })
)

it.effect("begins anew where the feed is another one, because the visitor was forgotten", () =>
  Effect.gen(function* () {
    const { door: context, handle, follow } = yield* setting
    for (const body of ["one", "two", "three"]) context.push(handle, body)
    context.erase(handle)
    context.push(handle, "new")
    expect((yield* follow("3")).places()).toEqual([1])
  })
)

it.effect("says something every 15 seconds, and ends after 15 minutes", () =>
  Effect.gen(function* () {
    const { follow } = yield* setting
    const { texts, fiber } = yield* follow()
    yield* TestClock.adjust("15 seconds")
    expect(texts).toEqual(["retry: 1000\n\n", ":\n\n"])
    yield* TestClock.adjust("15 minutes")
    yield* Fiber.join(fiber)
    expect(texts.length).toBeGreaterThan(50)
  })
)

it.effect("ends where the feed cannot be read, for the page to come back", () =>
  Effect.gen(function* () {
    const { door: context, handle, follow } = yield* setting
    const { fiber } = yield* follow()
    context.broken = true
    context.push(handle, "one")
    yield* Fiber.join(fiber)
    context.broken = false
    expect((yield* follow("0")).places()).toEqual([1])
  })
)

it.effect("is open five times for a visitor at most, and again for whoever closes one", () =>
  Effect.gen(function* () {
    const { follow, get, token, open } = yield* setting
    const all = yield* Effect.all(Array.from({ length: 5 }, () => follow()))
    const refused = yield* get("/stream", token)
    expect([refused.status, refused.headers["retry-after"], bodyOf(refused).error.code]).toEqual([
      429,
      "30",
      "rate_limited"
    ])
    expect((yield* get("/stream", (yield* open()).token)).status).toBe(200)
    yield* Fiber.interruptAll(all.slice(0, 1).map(({ fiber }) => fiber))
    expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("is open five times at most for a visitor who opens many at once", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    const answers = yield* Effect.all(Array.from({ length: 12 }, () => get("/stream", token)))
    const fibers = yield* Effect.forEach(answers, (answer) => Effect.fork(Stream.runDrain(streamOf(answer))))
    yield* settled
    const open = yield* Effect.filter(fibers, (fiber) => Effect.map(Fiber.poll(fiber), Option.isNone))
    expect(open.length).toBe(5)
    yield* Fiber.interruptAll(fibers)
    expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("counts no stream that nobody reads", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    for (let n = 0; n < 10; n += 1) expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("ends with the session", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    yield* TestClock.adjust("7775995 seconds")
    const fiber = yield* Effect.fork(Stream.runCollect(streamOf(yield* get("/stream", token))))
    yield* TestClock.adjust("5 seconds")
    expect(Chunk.size(yield* Fiber.join(fiber))).toBe(1)
  })
)
