import { expect, it } from "@effect/vitest"
import { refuse } from "@parley/core"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { makeInterpreter, publicModule } from "../src/index.js"
import { makeDelayedRefusals, maxDelayed } from "../src/server/delayedRefusals.js"
import { contactId, fakes } from "./fakes.js"
import { type RequestOptions, serve } from "./serve.js"

const delayMs = 1_000

/** Clients whose refusals are not delayed any more, in their order. */
const prepare = () => {
  const ended: Array<string> = []
  const delays = makeDelayedRefusals(delayMs)
  const refuse = (client: string, count: number) =>
    Effect.forEach(Array.from({ length: count }), () =>
      Effect.fork(
        Effect.zipRight(
          delays.wait(client),
          Effect.sync(() => ended.push(client))
        )
      )
    ).pipe(Effect.zipLeft(Effect.yieldNow()))
  return { ended, refuse }
}

it.effect("delays refusals by a second", () =>
  Effect.gen(function* () {
    const { ended, refuse } = prepare()
    yield* refuse("192.0.2.1", 2)
    yield* TestClock.adjust(delayMs - 1)
    expect(ended).toEqual([])
    yield* TestClock.adjust(1)
    expect(ended).toHaveLength(2)
  })
)

it.effect("delays no more than its share of one client, whose addresses of an IPv6 network count as one", () =>
  Effect.gen(function* () {
    const { ended, refuse } = prepare()
    yield* refuse("2001:db8::1", maxDelayed.client)
    yield* refuse("2001:db8::2", 1)
    yield* refuse("192.0.2.1", 1)
    expect(ended).toEqual(["2001:db8::2"])
    yield* TestClock.adjust(delayMs)
    yield* refuse("2001:db8::1", 1)
    expect(ended).toHaveLength(maxDelayed.client + 2)
  })
)

it.effect("delays a bounded number in total", () =>
  Effect.gen(function* () {
    const { ended, refuse } = prepare()
    for (let n = 0; n < maxDelayed.total; n++) yield* refuse(`client ${n}`, 1)
    yield* refuse("one more", 1)
    expect(ended).toEqual(["one more"])
  })
)

it.effect("takes the capacity of a client that left back", () =>
  Effect.gen(function* () {
    const { ended, refuse } = prepare()
    const fibers = yield* refuse("192.0.2.1", maxDelayed.client)
    yield* Fiber.interruptAll(fibers)
    yield* refuse("192.0.2.1", 1)
    expect(ended).toEqual([])
  })
)

const path = `/api/v1/contacts/${contactId}`
const none: RequestOptions = { token: null }

for (const [name, target] of [
  ["of a path that needs a credential", path],
  ["of a request to a vendor's path", `/inbound/${contactId}`]
] as const) {
  it.scopedLive(`delays each 429 ${name}`, () =>
    Effect.gen(function* () {
      const { request } = yield* serve({ anonymousLimit: 1 }, { refusalDelayMs: 250 })
      yield* request("GET", path, none)
      for (const nth of [1, 2]) {
        const [elapsed, { status }] = yield* Effect.timed(request("GET", target, none))
        expect([nth, status]).toEqual([nth, 429])
        expect(Duration.toMillis(elapsed)).toBeGreaterThanOrEqual(245)
      }
    })
  )
}

it.scopedLive("delays no 429 of an application, and no other refusal", () =>
  Effect.gen(function* () {
    const { request } = yield* serve({ getContact: () => refuse("rate_limited") }, { refusalDelayMs: 3_600_000 })
    expect((yield* request("GET", path)).status).toBe(429)
    expect((yield* request("GET", path, none)).status).toBe(401)
  })
)

it.effect("delays no 429 of a call within the process", () =>
  Effect.gen(function* () {
    const { answer } = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] }))
    const ask = answer({
      method: "GET",
      url: path,
      headers: {},
      peer: null,
      isInProcess: true,
      body: () => Effect.succeed(null)
    })
    expect([(yield* ask).status, (yield* ask).status]).toEqual([401, 429])
  }).pipe(Effect.provide(fakes({ anonymousLimit: 1 }).services))
)
