import { describe, expect, it } from "@effect/vitest"
import type { Channel, Connection, OutboundMessage } from "@parley/core"
import { interfaceChannels } from "@parley/testkit/rows"
import { Effect, Either, Fiber, Option, Schema, TestClock } from "effect"
import { SandboxProvider } from "../src/index.js"

const now = 1_764_000_000_000

const connection = (channel: Channel): Connection => ({
  id: "connection",
  workspaceId: "workspace",
  channel,
  provider: "sandbox",
  name: "Sandbox",
  handle: "business",
  status: "active",
  isTest: true,
  config: {},
  credentials: null,
  heldUntil: 0,
  heldMs: 0,
  createdAt: now,
  version: 1
})

const message = (to: string, attempt = 1): OutboundMessage => ({
  id: "message",
  to,
  template: null,
  body: "Hello",
  subject: null,
  thread: [],
  attempt
})

const send = (channel: Channel, to: string, attempt = 1) =>
  SandboxProvider.send(connection(channel), null, message(to, attempt), now)

const accepted = (receipts: ReadonlyArray<unknown>) => ({
  _tag: "Accepted",
  providerMessageId: "sandbox-message",
  receipts
})
const delivered = { status: "delivered", at: now + 200, error: null }
const read = { status: "read", at: now + 600, error: null }

/** Numeric and named handles of each channel, by their ending or beginning. */
const handles = (ending: string, word: string): ReadonlyArray<readonly [Channel, string]> => [
  ["whatsapp", `+1555000${ending}`],
  ["whatsapp", `${word}.1349`],
  ["facebook", `99${ending}`],
  ["facebook", `${word.toUpperCase()}-me`],
  ["webchat", ending],
  ["webchat", word],
  ["email", `${word}@example.com`],
  ["email", `${word}.someone+0000@example.com`]
]

describe("SandboxProvider", () => {
  for (const [channel, receipts] of [
    ["whatsapp", [delivered, read]],
    ["facebook", [delivered, read]],
    ["webchat", [delivered, read]],
    ["email", [delivered]],
    ["instagram", [read]],
    ["telegram", []]
  ] as const) {
    it.effect(`accepts, then reports what ${channel} reports within a second`, () =>
      Effect.gen(function* () {
        expect(yield* send(channel, "+15550001000")).toEqual(accepted(receipts))
        expect(yield* send(channel, "somebody")).toEqual(accepted(receipts))
      })
    )
  }

  for (const [channel, handle] of handles("0001", "reject")) {
    it.effect(`rejects ${handle} on ${channel}`, () =>
      Effect.gen(function* () {
        for (const attempt of [1, 2]) {
          expect(yield* send(channel, handle, attempt)).toMatchObject({
            _tag: "Rejected",
            scope: "recipient",
            code: "provider_error"
          })
        }
      })
    )
  }

  for (const [channel, handle] of handles("0002", "throttle")) {
    it.effect(`throttles ${handle} on ${channel} once, then accepts`, () =>
      Effect.gen(function* () {
        expect(yield* send(channel, handle, 1)).toEqual({ _tag: "Throttled", retryAfterMs: 200, scope: "recipient" })
        expect(yield* send(channel, handle, 2)).toEqual(accepted(channel === "email" ? [delivered] : [delivered, read]))
      })
    )
  }

  for (const [channel, handle] of handles("0003", "timeout")) {
    it.effect(`leaves the outcome unknown for ${handle} on ${channel}, however often it is tried`, () =>
      Effect.gen(function* () {
        for (const attempt of [1, 2, 9]) {
          const outcome = yield* send(channel, handle, attempt)
          expect(outcome).toEqual({ _tag: "Unknown", reason: "no answer: outcome unknown" })
        }
      })
    )
  }

  for (const [channel, handle] of handles("0004", "fail")) {
    it.effect(`accepts for ${handle} on ${channel}, and reports a failure`, () =>
      Effect.gen(function* () {
        expect(yield* send(channel, handle)).toMatchObject(
          accepted([{ status: "failed", at: now + 200, error: { code: "provider_error" } }])
        )
      })
    )
  }

  for (const [channel, handle] of handles("0005", "unread")) {
    it.effect(`delivers to ${handle} on ${channel}, and never reports it read`, () =>
      Effect.gen(function* () {
        expect(yield* send(channel, handle)).toEqual(accepted([delivered]))
      })
    )
  }

  for (const [channel, handle] of handles("0006", "slow")) {
    it.effect(`gives its verdict on ${handle} on ${channel} after five seconds`, () =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(send(channel, handle))
        yield* TestClock.adjust("4999 millis")
        expect(yield* Fiber.poll(fiber)).toEqual(Option.none())
        yield* TestClock.adjust("1 millis")
        const receipts = (channel === "email" ? [delivered] : [delivered, read]).map((receipt) => ({
          ...receipt,
          at: receipt.at + 5_000
        }))
        expect(yield* Fiber.join(fiber)).toEqual(accepted(receipts))
      })
    )
  }

  for (const [channel, handle] of [
    ["whatsapp", "+15550010002000"],
    ["whatsapp", "+15550000007"],
    ["telegram", "10001000"],
    ["instagram", "someone-0001"],
    ["instagram", "unfailing"],
    ["email", "user0001@example.com"],
    ["email", "0001@example.com"],
    ["email", "someone@reject.example"]
  ] as const) {
    it.effect(`treats ${handle} on ${channel} as an ordinary handle`, () =>
      Effect.gen(function* () {
        expect(yield* send(channel, handle)).toMatchObject({ _tag: "Accepted" })
        expect((yield* send(channel, handle)) as unknown).not.toMatchObject({ receipts: [{ status: "failed" }] })
      })
    )
  }

  it("has the capabilities of each channel's vendor", () => {
    const of = (channel: Channel) => {
      const { deliveryReceipts, readReceipts, serviceWindowHours, templates, textMaxLength } =
        SandboxProvider.capabilities(connection(channel))
      return [textMaxLength, templates, deliveryReceipts, readReceipts, serviceWindowHours]
    }
    expect(Object.fromEntries(interfaceChannels.map((channel) => [channel, of(channel)]))).toEqual({
      whatsapp: [4_096, true, true, true, 24],
      telegram: [4_096, false, false, false, null],
      email: [null, true, true, false, null],
      webchat: [4_096, false, true, true, null],
      instagram: [1_000, false, false, true, 24],
      facebook: [2_000, false, true, true, 24]
    })
  })

  it("serves every channel, and accepts any handle and settings", () => {
    expect(SandboxProvider.kind).toBe("sandbox")
    expect(SandboxProvider.channels.map(({ name }) => name)).toEqual(interfaceChannels)
    expect(SandboxProvider.parseHandle("telegram", "anything at all")).toEqual(Either.right("anything at all"))
    const config = Schema.decodeUnknownSync(SandboxProvider.config)
    expect(config({ verdict_wait_ms: 0 })).toEqual({ verdict_wait_ms: 0 })
    expect(() => config("text")).toThrow()
    expect(Schema.decodeUnknownSync(SandboxProvider.credentials)(null)).toBe(null)
  })

  it.effect("returns the same provider message id for a message sent twice", () =>
    Effect.gen(function* () {
      expect(SandboxProvider.dedupes).toBe(true)
      expect(yield* send("whatsapp", "+15550001000", 2)).toEqual(yield* send("whatsapp", "+15550001000", 1))
    })
  )
})
