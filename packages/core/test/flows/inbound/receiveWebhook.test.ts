import { describe, expect, it } from "@effect/vitest"
import { aConnection } from "@parley/testkit/rows"
import { Effect, Fiber, Logger, LogLevel, TestClock } from "effect"
import { answerChallenge, receiveWebhook, type WebhookServices } from "../../../src/flows/inbound/receiveWebhook.js"
import type { Connection } from "../../../src/model/Connection.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import type { ProviderWebhook } from "../../../src/ports/ChannelProvider.js"

const connection = aConnection({ provider: "vendor" })
const body = Buffer.from("a\u0000b".padEnd(100_000, "x"))
const idOf = (number: number) => `01900000-0000-7000-8000-00000000000${number}`
const event = InboundEvent.Unknown({ kind: "news", raw: "1" })

/** Handles a request to this webhook. Returns the answer and the applied events. */
const taken = (parts: Partial<ProviderWebhook>, more: Partial<WebhookServices> = {}) => {
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
      credentialsOf: () => Effect.dieMessage("not called"),
      reportUnverified: () => Effect.dieMessage("the request is verified"),
      ...more
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
      expect(yield* taken({ answer, verify: () => false }, { reportUnverified: () => Effect.void })).toMatchObject({
        answer: { code: "unauthenticated" }
      })
      expect(took).toEqual([event])
      expect(yield* taken({ answer: () => null })).toEqual({ answer: { status: 200 }, took: [event] })
      expect(yield* taken({ answer: broken })).toEqual({ answer: { status: 200 }, took: [event] })
    })
  )
  for (const [how, parse] of [
    ["throws", broken],
    ["dies", () => Effect.dieMessage("not foreseen")],
    ["returns a promise", () => Promise.reject(new Error("not foreseen"))],
    ["returns nothing", () => Effect.succeed(undefined)],
    ["returns events without their accounts", () => Effect.succeed([event])]
  ] as const) {
    it.effect(`is stored as an unknown event if the parser ${how}`, () =>
      Effect.gen(function* () {
        const { answer, took } = yield* taken({ parse: parse as unknown as ProviderWebhook["parse"] })
        expect(answer).toEqual({ status: 200 })
        const raw = body.subarray(0, 65_536).toString()
        expect(took).toEqual([InboundEvent.Unknown({ kind: "request", raw })])
      })
    )
  }
  it.effect("is verified at the present time, which some vendors sign", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const times: Array<number> = []
      yield* taken({ verify: (_connection, _credentials, _request, now) => times.push(now) > 0 })
      expect(times).toEqual([5_000])
    })
  )
  for (const [how, challenge] of [
    ["throws", broken],
    ["is asynchronous", () => Promise.resolve("42")],
    ["is asynchronous and throws", () => Promise.reject(new Error("not foreseen"))],
    ["returns nothing", () => undefined]
  ] as const) {
    it.effect(`is a refused check of the URL if the challenge ${how}`, () =>
      Effect.gen(function* () {
        const reported: Array<string> = []
        const webhook = { challenge: challenge as unknown as ProviderWebhook["challenge"] } as ProviderWebhook
        const request = { method: "GET", path: "", query: {}, headers: {}, body: new Uint8Array() }
        const answer = answerChallenge(
          { reportUnverified: ({ id }, fault) => Effect.sync(() => void reported.push(`${id} ${fault}`)) },
          { webhook, connection, credentials: {}, request }
        )
        expect(yield* Effect.flip(answer)).toMatchObject({ code: "forbidden" })
        expect(reported).toEqual([`${connection.id} challenge`])
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
    )
  }
  for (const [how, verify] of [
    ["throws", broken],
    ["is asynchronous", () => Promise.resolve(true)],
    ["is asynchronous and throws", () => Promise.reject(new Error("not foreseen"))],
    ["returns nothing", () => undefined]
  ] as const) {
    it.effect(`is not verified if verification ${how}`, () =>
      Effect.gen(function* () {
        const reported: Array<string> = []
        const reportUnverified = ({ id }: Pick<Connection, "id">) => Effect.sync(() => void reported.push(id))
        const handled = yield* taken({ verify: verify as unknown as ProviderWebhook["verify"] }, { reportUnverified })
        expect(handled).toMatchObject({ answer: { code: "unauthenticated" }, took: [] })
        expect(reported).toEqual([connection.id])
      })
    )
  }
  for (const [what, given, elseOwn, owner] of [
    ["a connection that has its business account", {}, false, "B1"],
    ["the called one if it has the business account", { account: "a1", business: "B" }, false, "called"],
    ["that one rather than the called one, which may have it", {}, true, "B1"],
    ["the next one if the first does not verify it", { refused: "B1" }, false, "B2"],
    ["the next one if the verification of the first throws", { throwing: "B1" }, false, "B2"]
  ] as const) {
    it.effect(`is given to ${what}`, () =>
      Effect.gen(function* () {
        const { business = "A", refused, throwing } = given as { readonly [field: string]: string | undefined }
        const made = (name: string, number: number, config: Connection["config"]) =>
          aConnection({ id: idOf(number), provider: "vendor", name, credentials: "{}", config })
        const called = made("called", 9, { account: "a1", business })
        const connections = [
          called,
          made("B0", 1, { account: "b0", business: "C" }),
          { ...made("paused", 2, { account: "b1", business: "B" }), status: "paused" as const },
          made("B1", 3, { account: "b2", business: "B" }),
          made("B2", 4, { account: "b3", business: "B" })
        ]
        const took: Array<string> = []
        yield* receiveWebhook(
          {
            storage: { read: () => Effect.succeed({ connections } as never) },
            inbound: {
              take: ({ name }, events) => Effect.sync(() => void took.push(name, ...events.map(({ _tag }) => _tag)))
            },
            credentialsOf: () => Effect.succeed(null),
            reportUnverified: () => Effect.dieMessage("the request is verified")
          },
          {
            webhook: {
              verify: ({ name }) => (name === throwing ? broken() : name !== refused),
              parse: () =>
                Effect.succeed([
                  { account: "B", elseOwn, events: [InboundEvent.AccountNotice({ message: "", at: 1 })] }
                ]),
              accountOf: ({ config }) => String(config.account),
              businessAccountOf: ({ config }) => String(config.business)
            },
            connection: called,
            credentials: null,
            request: { method: "POST", path: "", query: {}, headers: {}, body }
          }
        )
        expect(took).toEqual([owner, "AccountNotice"])
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
    )
  }
  it.effect("is the called connection's if it may be and no other has its account", () =>
    Effect.gen(function* () {
      const news = InboundEvent.AccountNotice({ message: "", at: 1 })
      const businessAccountOf = () => null
      const reads = { storage: { read: () => Effect.succeed({ connections: [connection] } as never) } }
      for (const elseOwn of [true, false]) {
        const parse = () => Effect.succeed([{ account: "B", elseOwn, events: [news] }])
        const { took } = yield* taken({ businessAccountOf, parse }, reads)
        expect(took.map(({ _tag }) => _tag)).toEqual([elseOwn ? "AccountNotice" : "Unknown"])
      }
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
