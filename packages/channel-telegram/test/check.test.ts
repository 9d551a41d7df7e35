import { describe, expect, it } from "@effect/vitest"
import type { CheckOutcome } from "@parley/core"
import type { BotErrorAnswer, FakeTelegram } from "@parley/testkit"
import { Effect } from "effect"
import { bot, opened } from "./opened.js"

const message = (outcome: CheckOutcome): string =>
  outcome._tag === "Working" ? `working: ${outcome.detail}` : `failing: ${outcome.problem}`

const hook = "https://parley.example/inbound/1"

describe("check", () => {
  const checks = (arrange: (vendor: FakeTelegram) => void, { handle = "@shop1_bot", credentials = {} } = {}) =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      arrange(vendor)
      return message(
        yield* provider.check({ ...account.connection, handle }, { ...account.credentials, ...credentials })
      )
    })

  it.scopedLive("reports the bot and its webhook URL", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined)).toBe("working: @Shop1_Bot, shown as Shop 1; no webhook yet: set it up")
      const { account, provider } = yield* opened()
      yield* provider.setUp(account.connection, account.credentials, hook)
      expect(message(yield* provider.check(account.connection, account.credentials))).toBe(
        `working: @Shop1_Bot, shown as Shop 1; webhook ${hook}`
      )
    })
  )

  const registered = ["message", "edited_message", "callback_query", "my_chat_member", "message_reaction"] as const

  for (const [allowed_updates, missing] of [
    [registered.slice(0, 4), "message_reaction"],
    [["message", "callback_query", "channel_post"], "edited_message, my_chat_member, message_reaction"],
    [undefined, "message_reaction"],
    [[...registered, "chat_member"], null]
  ] as const) {
    it.scopedLive(`names the updates that are not sent if ${allowed_updates ?? "none"} are registered`, () =>
      Effect.gen(function* () {
        const called = ({ webhooks }: FakeTelegram) =>
          webhooks.set(bot.username, {
            url: hook,
            ...(allowed_updates === undefined ? {} : { allowed_updates: [...allowed_updates] })
          })
        const said = `; Telegram does not send ${missing}: run \`parley connection setup 01900000-0000-7000-8000-0000000000b1\` again`
        expect(yield* checks(called)).toBe(
          `working: @Shop1_Bot, shown as Shop 1; webhook ${hook}${missing === null ? "" : said}`
        )
      })
    )
  }

  const error = {
    last_error_date: 1_790_000_000,
    last_error_message: "Wrong response from the webhook: 401 Unauthorized"
  }

  it.scopedLive("fails while updates wait because of an error, and mentions it afterwards", () =>
    Effect.gen(function* () {
      const waiting = (count: number) =>
        checks(({ webhookInfo, webhooks }) => {
          webhooks.set(bot.username, { url: hook })
          Object.assign(webhookInfo, error, { pending_update_count: count })
        })
      const reported = "Wrong response from the webhook: 401 Unauthorized (2026-09-21T14:13:20.000Z)"
      expect(yield* waiting(3)).toBe(
        `failing: @Shop1_Bot, shown as Shop 1: 3 updates wait. When Telegram called ${hook}, it met an error: ${reported}.`
      )
      expect(yield* waiting(0)).toContain(`; its last error, which is over: ${reported}`)
    })
  )

  it.scopedLive("works while updates are pending without an error", () =>
    Effect.gen(function* () {
      const busy = yield* checks(({ webhookInfo }) => Object.assign(webhookInfo, { pending_update_count: 2 }))
      expect(busy).toMatch(/^working: .*; 2 updates wait$/)
    })
  )

  it.scopedLive("fails for wrong settings, and names them", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined, { handle: "@other_bot" })).toBe(
        "failing: The bot_token is that of @Shop1_Bot, and the connection is one of @other_bot."
      )
      const wrong = bot.token.replace("AAH", "BBH")
      expect(yield* checks(() => undefined, { credentials: { bot_token: wrong } })).toContain(
        "does not take the bot_token"
      )
      expect(yield* checks(() => undefined, { credentials: { bot_token: "" } })).toContain("not complete")
    })
  )

  for (const [answer, problem] of [
    [{ code: 429, description: "Too Many Requests" }, "cannot answer for now: status 429"],
    [{ code: 500, description: "Internal Server Error" }, "cannot answer for now: status 500"],
    [{ code: 400, description: `Bad Request: ${bot.token}` }, "Telegram refused: Bad Request: …."]
  ] as ReadonlyArray<readonly [BotErrorAnswer, string]>) {
    it.scopedLive(`says what a ${answer.code} wants done`, () =>
      Effect.gen(function* () {
        expect(yield* checks(({ refuseNext }) => refuseNext(answer))).toContain(problem)
      })
    )
  }

  it.scopedLive("fails if the vendor is unreachable, or another server answers", () =>
    Effect.gen(function* () {
      expect(yield* checks(({ answerNext }) => answerNext({ status: 200, body: "<html>" }))).toContain(
        "could not be asked: an answer that cannot be read"
      )
      expect(
        yield* checks(({ answerNext }) => answerNext({ status: 200, body: { ok: true, result: { id: 1 } } }))
      ).toContain("another shape")
      const { account, provider, vendor } = yield* opened()
      yield* Effect.promise(vendor.stop)
      expect(message(yield* provider.check(account.connection, account.credentials))).toContain("ECONNREFUSED")
    })
  )
})

describe("setUp", () => {
  const setsUp = (url: string, arrange: (vendor: FakeTelegram) => void = () => undefined) =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      arrange(vendor)
      const outcome = message(yield* provider.setUp(account.connection, account.credentials, url))
      return { outcome, webhook: vendor.webhooks.get(bot.username), account }
    })

  it.scopedLive("registers the webhook with the secret and the known update types", () =>
    Effect.gen(function* () {
      const { account, outcome, webhook } = yield* setsUp(hook)
      expect(outcome).toMatch(/^working: Telegram calls https:\/\/parley.example\/inbound\/1\./)
      expect(webhook).toEqual({
        url: hook,
        secret_token: account.credentials?.secret_token,
        allowed_updates: ["message", "edited_message", "callback_query", "my_chat_member", "message_reaction"]
      })
    })
  )

  for (const url of ["http://parley.example/inbound/1", "https://parley.example:9000/inbound/1"]) {
    it.scopedLive(`says why Telegram does not take ${url}`, () =>
      Effect.gen(function* () {
        const { outcome, webhook } = yield* setsUp(url)
        expect(outcome).toMatch(/^failing: Telegram refused: Bad Request: bad webhook: .*must reach this host/)
        expect(webhook).toBeUndefined()
      })
    )
  }

  it.scopedLive("fails if Telegram does not respond", () =>
    Effect.gen(function* () {
      const { outcome } = yield* setsUp(hook, ({ answerNext }) => answerNext({ status: 502, body: "<html>" }))
      expect(outcome).toBe("failing: Telegram could not be asked: status 502.")
    })
  )
})
