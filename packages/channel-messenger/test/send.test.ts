import { describe, expect, it } from "@effect/vitest"
import { messengerCustomers } from "@parley/testkit"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { messenger } from "../src/index.js"
import { aMessage, now, opened } from "./opened.js"

describe("send", () => {
  it.scopedLive("sends a text with the message id for the echo", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toEqual({ _tag: "Accepted", providerMessageId: vendor.taken[0]?.id, receipts: [] })
      expect(vendor.taken[0]?.message).toEqual({
        recipient: { id: messengerCustomers.facebook[0] },
        messaging_type: "RESPONSE",
        message: { text: "Hello", metadata: "01900000-0000-7000-8000-000000000001" }
      })
    })
  )

  it.scopedLive("sends a text to Instagram through its Page, without fields that Instagram rejects", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened("instagram")
      const message = aMessage({ to: messengerCustomers.instagram[0] })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toEqual({
        recipient: { id: messengerCustomers.instagram[0] },
        messaging_type: "RESPONSE",
        message: { text: "Hello" }
      })
    })
  )

  for (const channel of ["facebook", "instagram"] as const) {
    it.scopedLive(`quotes messages on ${channel}, and no event that has no id of Meta's`, () =>
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened(channel)
        const to = messengerCustomers[channel][0]
        for (const quoted of ["m_1", "reaction.1790000000000.react.m_1", "postback.24.1790000000000", "comment.17"]) {
          const message = aMessage({ to, quoted })
          expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
        }
        expect(vendor.taken.map(({ quoted }) => quoted)).toEqual(["m_1", null, null, null])
      })
    )
  }

  it.scopedLive("reacts to a message, and takes the reaction back", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const [to] = messengerCustomers.facebook
      for (const emoji of ["👍", null]) {
        const message = aMessage({ body: emoji ?? "", content: { type: "reaction", emoji }, quoted: "m_1" })
        expect(yield* provider.send(account.connection, account.credentials, message, now)).toEqual({
          _tag: "Accepted",
          providerMessageId: `reaction.m_1.${message.id}`,
          receipts: []
        })
      }
      expect(vendor.taken.map(({ message }) => message)).toEqual([
        { recipient: { id: to }, sender_action: "react", payload: { message_id: "m_1", reaction: "👍" } },
        { recipient: { id: to }, sender_action: "unreact", payload: { message_id: "m_1" } }
      ])
    })
  )

  it.scopedLive("reacts with a heart on Instagram, by its name, and with nothing else", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened("instagram")
      const send = (emoji: string, quoted = "m_1") =>
        provider.send(
          account.connection,
          account.credentials,
          aMessage({ to: messengerCustomers.instagram[0], content: { type: "reaction", emoji }, quoted }),
          now
        )
      for (const heart of ["❤", "❤\uFE0F"]) expect((yield* send(heart))._tag).toBe("Accepted")
      const refused = { _tag: "Rejected", scope: "message", providerCode: "unsupported" }
      expect(yield* send("👍")).toMatchObject({
        ...refused,
        providerMessage: "Instagram takes ❤ only as a reaction."
      })
      expect(yield* send("❤", "comment.17")).toMatchObject(refused)
      const problems = ["comment.17", "m_1"].map((id) => messenger().reactionProblem?.(account.connection, id))
      expect(problems).toEqual([expect.stringContaining("must be"), null])
      expect(vendor.taken.map(({ message }) => message)).toMatchObject([
        { payload: { reaction: "love" } },
        { payload: { reaction: "love" } }
      ])
    })
  )

  it.scopedLive("reports Meta's error message without secrets, or our own message if it has none", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const [token] = account.secrets
      vendor.refuseNext({ code: 190, status: 401, message: `Malformed access token ${token}` })
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toMatchObject({ providerCode: "190", providerMessage: "Malformed access token …" })
      vendor.refuseNext({ code: 10, subcode: 2018278, message: "" })
      expect(yield* provider.send(account.connection, account.credentials, aMessage(), now)).toMatchObject({
        providerCode: "10/2018278",
        providerMessage: "The customer's last message is more than 24 hours old."
      })
    })
  )

  it.scopedLive("uses the wait in Meta's usage header of the Page", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const usage = { 1: [{ type: "messenger", estimated_time_to_regain_access: 5 }] }
      vendor.refuseNext({ code: 80006, headers: { "x-business-use-case-usage": JSON.stringify(usage) } })
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toEqual({ _tag: "Throttled", retryAfterMs: 300_000 })
      vendor.refuseNext({ code: 80006, headers: { "x-business-use-case-usage": "}", "retry-after": "soon" } })
      const unhinted = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(unhinted).toMatchObject({ _tag: "Throttled", retryAfterMs: null })
    })
  )

  it.scopedLive("classifies responses of proxies by status", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const outcomes: Array<string> = []
      for (const status of [302, 400, 403, 429, 502]) {
        vendor.answerNext({ status, headers: { location: vendor.url }, body: "<html>" })
        const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
        outcomes.push(`${status} ${outcome._tag}`)
      }
      expect(outcomes).toEqual(["302 Transient", "400 Transient", "403 Transient", "429 Throttled", "502 Unknown"])
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("reports Unknown if the response cannot be read", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      for (const body of ["<html>", "", { recipient_id: "1" }, { message_id: "" }]) {
        vendor.answerNext({ status: 200, body })
        expect((yield* provider.send(account.connection, account.credentials, aMessage(), now))._tag).toBe("Unknown")
      }
    })
  )

  it.scoped("reports Unknown after a timeout", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.ignoreNext()
      const sending = yield* Effect.fork(provider.send(account.connection, account.credentials, aMessage(), now))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Unknown" })
    })
  )

  it.scopedLive("sends nothing on a connection with incomplete settings", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened("instagram")
      const { instagram_account_id: _, ...config } = account.connection.config
      for (const [connection, credentials, message] of [
        [account.connection, null, "not complete"],
        [account.connection, { page_access_token: "t" }, "not complete"],
        [{ ...account.connection, config }, account.credentials, "no instagram_account_id"]
      ] as const) {
        expect(yield* provider.send(connection, credentials, aMessage(), now)).toMatchObject({
          _tag: "Rejected",
          scope: "connection",
          providerMessage: expect.stringContaining(message)
        })
      }
      expect(vendor.taken).toEqual([])
    })
  )
})

describe("capabilities of the channels", () => {
  it.scopedLive("differ by channel", () =>
    Effect.gen(function* () {
      for (const [channel, expected] of [
        ["facebook", { textMaxLength: 2_000, deliveryReceipts: true }],
        ["instagram", { textMaxLength: 1_000, deliveryReceipts: false }]
      ] as const) {
        const { account, provider } = yield* opened(channel)
        expect(provider.capabilities(account.connection)).toMatchObject({
          templates: false,
          readReceipts: true,
          serviceWindowHours: 24,
          files: { bytes: 25 * 1_048_576, bytesByType: { image: 8 * 1_048_576 } },
          ...expected
        })
      }
    })
  )

  it.scopedLive("refuses a file without a public URL, with what to do", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened("facebook")
      const file = { type: "image", contentType: "image/png", fileName: null, size: 1, url: null } as const
      const outcome = yield* provider.send(
        account.connection,
        account.credentials,
        {
          id: "01900000-0000-7000-8000-000000000001",
          to: "24",
          ...{ template: null, body: "", subject: null, thread: [], attempt: 1 },
          files: [{ ...file, bytes: Stream.empty }]
        },
        0
      )
      expect(outcome).toMatchObject({ _tag: "Rejected", scope: "message" })
      expect(JSON.stringify(outcome)).toContain("PARLEY_PUBLIC_URL")
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("limits the bytes of a text on Instagram", () =>
    Effect.gen(function* () {
      const problemOf = (channel: "facebook" | "instagram", text: string) =>
        Effect.map(opened(channel), ({ account, provider }) => provider.textProblem(account.connection, text))
      expect(yield* problemOf("instagram", "é".repeat(500))).toBeNull()
      expect(yield* problemOf("instagram", "é".repeat(501))).toBe("must be at most 1000 bytes of UTF-8")
      expect(yield* problemOf("facebook", "é".repeat(2_000))).toBeNull()
    })
  )

  it.scopedLive("is 300 messages a second by default", () =>
    Effect.gen(function* () {
      const { account, provider } = yield* opened()
      const rates = (config: object) =>
        provider.rates({ ...account.connection, config: { ...account.connection.config, ...config } })
      expect(rates({})).toEqual({ connection: { messages: 300, per: 1_000, burst: 30 }, recipient: null })
      expect(rates({ messages_per_second: 5 }).connection).toEqual({ messages: 5, per: 1_000, burst: 1 })
    })
  )
})
