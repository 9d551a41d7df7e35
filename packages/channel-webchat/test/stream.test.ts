import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Stream, Supervisor, TestClock } from "effect"
import { memoryContext } from "./memoryContext.js"
import { bodyOf, streamOf, webchatAt } from "./visits.js"

const setting = Effect.gen(function* () {
  const context = memoryContext()
  const webchat = webchatAt(context)
  const { token, handle } = yield* webchat.open()
  /** Reads the feed in the background; returns the messages so far. */
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
  return { ...webchat, context: context, token, handle, follow }
})

/** Runs all pending fibers. */
const settled = Effect.repeatN(Effect.yieldNow(), 200)

it.effect("sends earlier and new messages", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
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

it.effect("resumes after the given position without gaps", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    for (let n = 0; n < 350; n += 1) context.push(handle, String(n))
    const { places } = yield* follow("20")
    expect(places()).toEqual(Array.from({ length: 330 }, (_, n) => 21 + n))
    expect((yield* follow(undefined, { after: "348" })).places()).toEqual([349, 350])
  })
)

it.effect("restarts if the feed was replaced because the visitor was erased", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    for (const body of ["one", "two", "three"]) context.push(handle, body)
    context.erase(handle)
    context.push(handle, "new")
    expect((yield* follow("3")).places()).toEqual([1])
  })
)

it.effect("sends a heartbeat every 15 seconds, and ends after 15 minutes", () =>
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

it.effect("ends if the feed cannot be read, so that the page reconnects", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    const { fiber } = yield* follow()
    context.broken = true
    context.push(handle, "one")
    yield* Fiber.join(fiber)
    context.broken = false
    expect((yield* follow("0")).places()).toEqual([1])
  })
)

it.effect("is limited to five per visitor, and opens again after one closes", () =>
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

it.effect("is limited to five per visitor under concurrent requests", () =>
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

it.effect("does not count a stream that is not read", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    for (let n = 0; n < 10; n += 1) expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("holds one fiber for each stream, and one more for all of them", () =>
  Effect.gen(function* () {
    const { get, open } = yield* setting
    const supervisor = yield* Supervisor.track
    const follow = Effect.gen(function* () {
      const answer = yield* get("/stream", (yield* open()).token)
      // As a server pulls it.
      return yield* Effect.fork(Effect.scoped(Effect.flatMap(Stream.toPull(streamOf(answer)), Effect.forever)))
    })
    const fibers = yield* Effect.supervised(Effect.replicateEffect(follow, 20), supervisor)
    yield* settled
    yield* TestClock.adjust("20 seconds")
    expect((yield* supervisor.value).length).toBe(21)
    yield* Fiber.interruptAll(fibers)
    yield* TestClock.adjust("2 seconds")
    expect((yield* supervisor.value).length).toBe(0)
  })
)

it.effect("ends a stream whose client reads nothing", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    const answer = yield* get("/stream", token)
    const fiber = yield* Effect.fork(Stream.runForEach(streamOf(answer), () => Effect.never))
    yield* TestClock.adjust("14 minutes")
    expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
    yield* TestClock.adjust("2 minutes")
    expect(Option.isSome(yield* Fiber.poll(fiber))).toBe(true)
  })
)

it.effect("ends early on request", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    const answer = yield* get("/stream", token)
    const fiber = yield* Effect.fork(Stream.runDrain(streamOf(answer)))
    yield* settled
    expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
    answer.end?.()
    yield* Fiber.join(fiber)
  })
)

it.effect("ends with the session", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    yield* TestClock.adjust("7775995 seconds")
    const fiber = yield* Effect.fork(Stream.runDrain(streamOf(yield* get("/stream", token))))
    yield* TestClock.adjust("4 seconds")
    expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.join(fiber)
  })
)
