import { describe, expect, it } from "@effect/vitest"
import { aConnection } from "@parley/testkit/rows"
import { Effect, Fiber, Logger, LogLevel, TestClock } from "effect"
import { receiveWebhook } from "../../../src/flows/inbound/receiveWebhook.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import type { ProviderWebhook } from "../../../src/ports/ChannelProvider.js"

const connection = aConnection({ provider: "vendor" })
const body = Buffer.from("a\u0000b".padEnd(100_000, "x"))
const event = InboundEvent.Unknown({ kind: "news", raw: "1" })

/** Handles a request to this webhook. Returns the answer and the applied events. */
const taken = (parts: Partial<ProviderWebhook>) => {
  const took: Array<InboundEvent> = []
  const webhook: ProviderWebhook = {
    verify: () => true,
    parse: () => Effect.succeed([{ account: null, events: [event] }]),
    ...parts
  }
  const request = { method: "POST", path: "", query: {}, headers: {}, body }
  return receiveWebhook(
    {
      storage: { read: () => Effect.dieMessage("nothing is looked up") },
      inbound: { take: (_connection, events) => Effect.sync(() => void took.push(...events)) },
      credentialsOf: () => Effect.dieMessage("not called")
    },
    { webhook, connection, credentials: null, request }
  ).pipe(
    Effect.match({ onFailure: ({ _tag, ...error }) => error, onSuccess: ({ status }) => ({ status }) }),
    Effect.map((answer) => ({ answer, took })),
    Logger.withMinimumLogLevel(LogLevel.None)
  )
}
const broken = () => {
  throw new Error("not foreseen")
}

describe("a request of a vendor", () => {
  it.effect("is parsed by its provider and applied", () =>
    Effect.gen(function* () {
      expect(yield* taken({})).toEqual({ answer: { status: 200 }, took: [event] })
    })
  )
  it.effect("is answered as its provider says, once its events are applied", () =>
    Effect.gen(function* () {
      const took: Array<InboundEvent> = []
      const answer = () => {
        took.push(event)
        return { status: 202, headers: {}, body: "" }
      }
      expect(yield* taken({ answer })).toEqual({ answer: { status: 202 }, took: [event] })
      expect(took).toEqual([event])
      expect(yield* taken({ answer, verify: () => false })).toMatchObject({ answer: { code: "unauthenticated" } })
      expect(took).toEqual([event])
      expect(yield* taken({ answer: () => null })).toEqual({ answer: { status: 200 }, took: [event] })
      expect(yield* taken({ answer: broken })).toEqual({ answer: { status: 200 }, took: [event] })
    })
  )
  for (const [how, parse] of [
    ["throws", broken],
    ["dies", () => Effect.dieMessage("not foreseen")]
  ] as const) {
    it.effect(`is stored as an unknown event if the parser ${how}`, () =>
      Effect.gen(function* () {
        const { answer, took } = yield* taken({ parse })
        expect(answer).toEqual({ status: 200 })
        const raw = body.subarray(0, 65_536).toString()
        expect(took).toEqual([InboundEvent.Unknown({ kind: "request", raw })])
      })
    )
  }
  it.effect("is not verified if verification throws", () =>
    Effect.gen(function* () {
      expect(yield* taken({ verify: broken })).toMatchObject({ answer: { code: "unauthenticated" }, took: [] })
    })
  )
  it.effect("fails with service_unavailable if parsing times out", () =>
    Effect.gen(function* () {
      const asking = yield* Effect.fork(taken({ parse: () => Effect.never }))
      yield* TestClock.adjust("20 seconds")
      expect(yield* Fiber.join(asking)).toMatchObject({ answer: { code: "service_unavailable" }, took: [] })
    })
  )
})
