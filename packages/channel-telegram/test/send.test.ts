import { FetchHttpClient, HttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { optionToken } from "@parley/core"
import { Effect, Fiber, TestClock } from "effect"
import { aMessage, bot, now, opened } from "./opened.js"

describe("send", () => {
  const withSend = (options?: Parameters<typeof opened>[0]) =>
    Effect.map(opened(options), (world) => {
      const { connection, credentials } = world.account
      const send = (message = aMessage()) => world.provider.send(connection, credentials, message, now)
      return { ...world, send }
    })

  it.scopedLive("identifies a message by chat id and message id", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      const outcomes = [yield* send(), yield* send(), yield* send(aMessage({ to: "-1001234567890" }))]
      expect(outcomes).toEqual(
        ["123456789:1000", "123456789:1001", "-1001234567890:1000"].map((providerMessageId) => ({
          _tag: "Accepted",
          providerMessageId,
          receipts: []
        }))
      )
      expect(vendor.taken.map(({ chatId }) => chatId)).toEqual(["123456789", "123456789", "-1001234567890"])
    })
  )

  it.scopedLive("quotes and reacts to messages of the chat only", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      const quotes = ["123456789:3", "123456789:3:edit:1:2", "callback:4382", "5:3", "story:5:9"]
      for (const quoted of quotes) expect(yield* send(aMessage({ quoted }))).toMatchObject({ _tag: "Accepted" })
      expect(vendor.taken.map(({ quoted }) => quoted)).toEqual([3, 3, null, null, null])
      const content = { type: "reaction", emoji: "👍" } as const
      for (const quoted of ["callback:4382", "5:3"]) {
        expect(yield* send(aMessage({ content, quoted }))).toMatchObject({ _tag: "Rejected", scope: "message" })
      }
      const { id } = aMessage()
      expect(yield* send(aMessage({ content, quoted: "123456789:3" }))).toMatchObject({
        providerMessageId: `123456789:3:reaction:${id}`
      })
      expect(vendor.taken.length).toBe(6)
    })
  )

  it.scopedLive("reacts with emoji in the form that Telegram takes, and reports that it takes no others", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      const reacts = (emoji: string) => send(aMessage({ content: { type: "reaction", emoji }, quoted: "123456789:3" }))
      for (const emoji of ["\u2764\uFE0F", "\u2764\uFE0F\u200D\u{1F525}", "\u{1F937}\u200D\u2640\uFE0F"]) {
        expect(yield* reacts(emoji)).toMatchObject({ _tag: "Accepted" })
      }
      expect(vendor.taken.map(({ content }) => content)).toMatchObject([
        { emoji: "\u2764" },
        { emoji: "\u2764\u200D\u{1F525}" },
        { emoji: "\u{1F937}\u200D\u2640" }
      ])
      expect(yield* reacts("🥐")).toMatchObject({
        _tag: "Rejected",
        scope: "message",
        providerMessage: "Bad Request: REACTION_INVALID"
      })
    })
  )

  it.scopedLive("sends a token for an option's id that is longer than Telegram takes", () =>
    Effect.gen(function* () {
      const { account, provider, send, vendor } = yield* withSend()
      const { choices } = provider.capabilities(account.connection)
      const [short, long] = ["🥐".repeat(16), "🥐".repeat(choices?.idLength ?? 0)]
      const questionOf = (...ids: ReadonlyArray<string>) => ({
        type: "choices" as const,
        button: null,
        options: ids.map((id) => ({ id, title: "Yes", description: null }))
      })
      expect(yield* send(aMessage({ content: questionOf(short, long) }))).toMatchObject({ _tag: "Accepted" })
      expect(vendor.taken.at(-1)?.content).toEqual(questionOf(short, optionToken(long)))
    })
  )

  it.scopedLive("reports Telegram's error message without secrets", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      vendor.refuseNext({ code: 401, description: `Unauthorized: ${bot.token}` })
      expect(yield* send()).toMatchObject({ providerCode: "401", providerMessage: "Unauthorized: …" })
      vendor.refuseNext({ code: 403, description: "" })
      expect(yield* send()).toMatchObject({ providerMessage: "The bot may not write to this chat." })
    })
  )

  it.scopedLive("classifies responses of proxies by status", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      const outcomes: Array<string> = []
      for (const status of [302, 400, 403, 404, 429, 502]) {
        vendor.answerNext({ status, headers: { location: vendor.url }, body: "<html>" })
        outcomes.push(`${status} ${(yield* send())._tag}`)
      }
      expect(outcomes).toEqual([
        "302 Transient",
        "400 Transient",
        "403 Transient",
        "404 Transient",
        "429 Throttled",
        "502 Unknown"
      ])
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("reports Unknown if the response cannot be read", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      for (const body of ["<html>", "", { ok: true }, { ok: true, result: { message_id: "1" } }]) {
        vendor.answerNext({ status: 200, body })
        expect((yield* send())._tag).toBe("Unknown")
      }
    })
  )

  it.scoped("reports Unknown after a timeout", () =>
    Effect.gen(function* () {
      const { send, vendor } = yield* withSend()
      vendor.ignoreNext()
      const sending = yield* Effect.fork(send())
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Unknown" })
    })
  )

  it.scopedLive("uses a custom client without a span that contains the token", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (request) => {
        requests.push(request.url)
        return request
      })
      const { send, vendor } = yield* withSend({ httpClient: client })
      const spans: Array<string> = []
      const tracer = yield* Effect.tracer
      const listening: typeof tracer = {
        ...tracer,
        span: (...made) => {
          spans.push(made[0])
          return tracer.span(...made)
        }
      }
      yield* send().pipe(Effect.withSpan("sending"), Effect.withTracer(listening))
      expect(requests).toEqual([`${vendor.url}/bot${bot.token}/sendMessage`])
      expect(spans).toEqual(["sending"])
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.scopedLive("sends nothing on a connection with incomplete credentials", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      for (const credentials of [null, {}, { bot_token: "token" }]) {
        expect(yield* provider.send(account.connection, credentials, aMessage(), now)).toMatchObject({
          _tag: "Rejected",
          scope: "connection"
        })
      }
      expect(vendor.taken).toEqual([])
    })
  )
})
