import { expect, it } from "@effect/vitest"
import { Effect, Supervisor, TestClock } from "effect"
import { memoryContext } from "./memoryContext.js"
import { bodyOf, pushedOf, readPushed, webchatAt } from "./visits.js"

const setting = Effect.gen(function* () {
  const context = memoryContext()
  const webchat = webchatAt(context)
  const { token, handle } = yield* webchat.open()
  /** Reads the feed; `room`: the characters that the client takes at first. */
  const follow = (lastEventId?: string, query: { readonly after?: string } = {}, room?: number) =>
    Effect.gen(function* () {
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const answer = yield* webchat.get("/stream", token, { headers, query })
      const reading = readPushed(pushedOf(answer), room)
      yield* settled
      return reading
    })
  return { ...webchat, context, token, handle, follow }
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

it.effect("sends a message that was sent between the answer and its reading", () =>
  Effect.gen(function* () {
    const { context, get, handle, token } = yield* setting
    const answer = yield* get("/stream", token)
    context.push(handle, "one")
    const { places } = readPushed(pushedOf(answer))
    yield* settled
    expect(places()).toEqual([1])
  })
)

it.effect("sends no message of another visitor", () =>
  Effect.gen(function* () {
    const { context, follow, get, open } = yield* setting
    const other = yield* open()
    const { places } = yield* follow()
    const theirs = readPushed(pushedOf(yield* get("/stream", other.token)))
    context.push(other.handle, "one")
    yield* settled
    expect([places(), theirs.places()]).toEqual([[], [1]])
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

it.effect("restarts an open stream if the feed was replaced, also by a longer one", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    for (const body of ["one", "two"]) context.push(handle, body)
    const { places } = yield* follow("2")
    context.erase(handle)
    for (const body of ["new one", "new two", "new three"]) context.push(handle, body)
    yield* settled
    expect(places()).toEqual([1, 2, 3])
    context.erase(handle)
    context.push(handle, "newest")
    yield* settled
    expect(places()).toEqual([1, 2, 3, 1])
  })
)

it.effect("sends a heartbeat every 15 seconds, and ends after 15 minutes", () =>
  Effect.gen(function* () {
    const { follow } = yield* setting
    const { texts, state } = yield* follow()
    yield* TestClock.adjust("15 seconds")
    expect(texts).toEqual(["retry: 1000\n\n", ":\n\n"])
    yield* TestClock.adjust("14 minutes")
    expect(state.isOver).toBe(false)
    yield* TestClock.adjust("1 minute")
    expect([state.isOver, state.isDestroyed]).toEqual([true, false])
    expect(texts.length).toBeGreaterThan(50)
  })
)

it.effect("ends if the feed cannot be read, so that the page reconnects", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    const { state } = yield* follow()
    context.broken = true
    context.push(handle, "one")
    yield* settled
    expect(state.isOver).toBe(true)
    context.broken = false
    expect((yield* follow("0")).places()).toEqual([1])
  })
)

it.effect("writes nothing after its end, and disconnects a client that does not take the end", () =>
  Effect.gen(function* () {
    const { connection, context, get, handle, provider, token } = yield* setting
    const written: Array<string> = []
    // A client that stopped reading: what it was sent fits into buffers, and its connection stays open.
    const writer = pushedOf(yield* get("/stream", token)).open({
      write: (text) => {
        written.push(text)
        return true
      },
      end: () => written.push("end"),
      destroy: () => {
        written.push("destroyed")
        writer.closed()
      }
    })
    yield* settled
    context.broken = true
    context.push(handle, "one")
    yield* settled
    yield* provider.signal?.(connection, {}, { kind: "typing", to: handle, lastMessageId: "1" }) ?? Effect.void
    yield* TestClock.adjust("15 seconds")
    expect(written).toEqual(["retry: 1000\n\n", "end", "destroyed"])
    yield* TestClock.adjust("1 minute")
    expect(written.length).toBe(3)
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
    for (const { leave } of all.slice(0, 1)) yield* leave
    yield* settled
    expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("is limited to five per visitor under concurrent requests", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    const answers = yield* Effect.all(Array.from({ length: 12 }, () => get("/stream", token)))
    const all = answers.map((answer) => readPushed(pushedOf(answer)))
    yield* settled
    expect(all.filter(({ state }) => !state.isOver).length).toBe(5)
    for (const { leave } of all) yield* leave
    yield* settled
    expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("does not count a stream that is not read", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    for (let n = 0; n < 10; n += 1) expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("holds no fiber, and one timer for all of them", () =>
  Effect.gen(function* () {
    const { get, open } = yield* setting
    const supervisor = yield* Supervisor.track
    const follow = Effect.gen(function* () {
      return readPushed(pushedOf(yield* get("/stream", (yield* open()).token)))
    })
    const all = yield* Effect.supervised(Effect.replicateEffect(follow, 20), supervisor)
    yield* settled
    yield* TestClock.adjust("20 seconds")
    expect((yield* supervisor.value).length).toBe(1)
    expect(all.map(({ texts }) => texts.length)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n < 5 || n > 14 ? 3 : 2))
    )
    for (const { leave } of all) yield* leave
    yield* TestClock.adjust("2 seconds")
    expect((yield* supervisor.value).length).toBe(0)
  })
)

it.effect("writes no more than the client takes, and loses nothing", () =>
  Effect.gen(function* () {
    const { context, handle, follow } = yield* setting
    for (let n = 0; n < 50; n += 1) context.push(handle, "x".repeat(4_000))
    const { places, take, texts } = yield* follow(undefined, {}, 20_000)
    const bytes = () => texts.join("").length
    expect([bytes() > 20_000, bytes() < 50_000]).toEqual([true, true])
    for (let n = 0; n < 20; n += 1) {
      const before = bytes()
      yield* take(20_000)
      yield* settled
      expect(bytes() - before).toBeLessThan(50_000)
    }
    expect(places()).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })
)

it.effect("disconnects a client that takes nothing for a minute, and counts it no more", () =>
  Effect.gen(function* () {
    const { context, handle, follow, get, token } = yield* setting
    const others = yield* Effect.all(Array.from({ length: 4 }, () => follow()))
    const { state } = yield* follow(undefined, {}, 100)
    context.push(handle, "x".repeat(200))
    yield* settled
    expect((yield* get("/stream", token)).status).toBe(429)
    yield* TestClock.adjust("59 seconds")
    expect(state.isOver).toBe(false)
    yield* TestClock.adjust("31 seconds")
    expect([state.isDestroyed, others.some(({ state }) => state.isOver)]).toEqual([true, false])
    expect((yield* get("/stream", token)).status).toBe(200)
  })
)

it.effect("ends when the host stops", () =>
  Effect.gen(function* () {
    const { follow } = yield* setting
    const { state, writer } = yield* follow()
    writer.stop()
    expect([state.isOver, state.isDestroyed]).toEqual([true, false])
  })
)

it.effect("ends with the session", () =>
  Effect.gen(function* () {
    const { get, token } = yield* setting
    yield* TestClock.adjust("7775995 seconds")
    const { state } = readPushed(pushedOf(yield* get("/stream", token)))
    yield* TestClock.adjust("4 seconds")
    expect(state.isOver).toBe(false)
    yield* TestClock.adjust("1 seconds")
    expect(state.isOver).toBe(true)
  })
)
