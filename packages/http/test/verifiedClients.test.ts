import { describe, expect, it } from "@effect/vitest"
import { day, EventLoop, type ProviderHook } from "@parley/core"
import { Effect, Fiber, TestClock } from "effect"
import { otherStartsPerTurn } from "../src/server/fairStarts.js"
import { makeVerifiedClients } from "../src/server/verifiedClients.js"
import { contact, contactId, token } from "./fakes.js"
import { type Answered, type Served, serve } from "./serve.js"

describe("a client's network", () => {
  it.effect("is verified for a day", () =>
    Effect.gen(function* () {
      const verified = makeVerifiedClients()
      const start = yield* TestClock.currentTimeMillis
      yield* verified.add("192.0.2.1")
      expect(verified.has("192.0.2.1", start + day - 1)).toBe(true)
      expect(verified.has("192.0.2.1", start + day)).toBe(false)
      expect(verified.has("192.0.2.2", start)).toBe(false)
    })
  )
})

/** An event loop in which no turn begins until the test says so. Everything else is as in Node. */
const withManualTurns = Effect.map(EventLoop, (loop) => {
  const deferred: Array<() => void> = []
  const defer = (task: () => void) => {
    deferred.push(task)
    return () => {}
  }
  const turn = Effect.sync(() => {
    for (const task of deferred.splice(0)) task()
  })
  return { eventLoop: { ...loop, defer }, turn }
})

/** Sends requests at once; returns them when all but `waiting` are answered. */
const send = (
  { request }: Served,
  count: number,
  waiting: number,
  given: string | null,
  path = `/api/v1/contacts/${contactId}`
) =>
  Effect.gen(function* () {
    const answered: Array<Answered> = []
    const fibers = yield* Effect.forEach(Array.from({ length: count }), () =>
      Effect.fork(Effect.map(request("GET", path, { token: given }), (answer) => answered.push(answer)))
    )
    while (answered.length < count - waiting) yield* Effect.sleep("1 millis")
    return { answered, all: Fiber.awaitAll(fibers) }
  })

describe("requests of one turn of the event loop", () => {
  it.scopedLive("start in large numbers after a request with a valid credential", () =>
    Effect.gen(function* () {
      const { eventLoop, turn } = yield* withManualTurns
      const served = yield* serve({ getContact: () => Effect.succeed(contact) }).pipe(
        Effect.provideService(EventLoop, eventLoop)
      )
      yield* (yield* send(served, 1, 0, token)).all
      yield* turn
      const { answered } = yield* send(served, 20, 0, token)
      expect(answered.map(({ status }) => status)).toEqual(Array(20).fill(200))
    })
  )

  it.scopedLive("start in small numbers after requests without a valid credential", () =>
    Effect.gen(function* () {
      const { eventLoop, turn } = yield* withManualTurns
      const served = yield* serve().pipe(Effect.provideService(EventLoop, eventLoop))
      yield* (yield* send(served, 1, 0, null)).all
      yield* turn
      const { all, answered } = yield* send(served, otherStartsPerTurn + 1, 1, null)
      expect(answered).toHaveLength(otherStartsPerTurn)
      yield* turn
      yield* all
      expect(answered.map(({ status }) => status)).toEqual(Array(otherStartsPerTurn + 1).fill(401))
    })
  )

  const hook = (methods: ProviderHook["methods"]): ProviderHook => ({
    methods,
    bodyLimit: 1_000,
    answer: () => Effect.succeed({ status: 200, headers: {}, body: "" })
  })
  const inbound = `/inbound/${contactId}`

  it.scopedLive("start in large numbers after a verified webhook", () =>
    Effect.gen(function* () {
      const { eventLoop, turn } = yield* withManualTurns
      const served = yield* serve({ hookAt: () => Effect.succeed(hook(["GET"])) }).pipe(
        Effect.provideService(EventLoop, eventLoop)
      )
      yield* (yield* send(served, 1, 0, null, inbound)).all
      yield* turn
      expect((yield* send(served, 20, 0, null, inbound)).answered).toHaveLength(20)
    })
  )

  it.scopedLive("start in small numbers after a visitor's request", () =>
    Effect.gen(function* () {
      const { eventLoop, turn } = yield* withManualTurns
      const served = yield* serve({ hookAt: () => Effect.succeed(hook(null)) }).pipe(
        Effect.provideService(EventLoop, eventLoop)
      )
      yield* (yield* send(served, 1, 0, null, `${inbound}/stream`)).all
      yield* turn
      const { all, answered } = yield* send(served, otherStartsPerTurn + 1, 1, null, `${inbound}/stream`)
      expect(answered).toHaveLength(otherStartsPerTurn)
      yield* turn
      yield* all
      expect(answered).toHaveLength(otherStartsPerTurn + 1)
    })
  )
})
