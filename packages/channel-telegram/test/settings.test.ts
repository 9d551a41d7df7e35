import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { TelegramCredentials, telegram } from "../src/index.js"
import { accountOf } from "./account.js"
import { bot } from "./opened.js"

const read = Schema.decodeUnknownEither(TelegramCredentials)

describe("credentials", () => {
  it("make a secret where there is none, another one each time", () => {
    const [one, other] = [read({ bot_token: ` ${bot.token}\n` }), read({ bot_token: bot.token })].map(Either.getOrThrow)
    expect(one?.bot_token).toBe(bot.token)
    expect(one?.secret_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(one?.secret_token).not.toBe(other?.secret_token)
  })

  it("take no token that would be another URL", () => {
    for (const bot_token of ["", "123:x", `${bot.token}/getMe`, `../${bot.token}`, bot.token.replace(":", "")]) {
      expect(Either.isLeft(read({ bot_token }))).toBe(true)
    }
  })

  it("take only a secret that Telegram takes", () => {
    for (const secret_token of ["", "short", "with spaces in between", "x".repeat(257)]) {
      expect(Either.isLeft(read({ bot_token: bot.token, secret_token }))).toBe(true)
    }
  })
})

describe("the bot's own handle", () => {
  const parse = (handle: string) => telegram().parseOwnHandle?.("telegram", handle)

  it("is its username, however it is written", () => {
    for (const written of ["@Shop1_Bot", "shop1_bot"]) expect(parse(written)).toEqual(Either.right("@shop1_bot"))
  })

  it("is nothing else", () => {
    for (const written of ["@", "@1bot", "@@shop_bot", "https://t.me/shop_bot", "123456789"]) {
      expect(parse(written)).toEqual(Either.left("must be the bot's username, such as @acme_bot"))
    }
  })
})

describe("rates", () => {
  const rates = (config: { readonly [field: string]: unknown }) =>
    telegram().rates?.({ ...accountOf(bot).connection, config })

  it("are Telegram's own, or fewer a second where that is entered", () => {
    expect(rates({})).toEqual({
      connection: { messages: 30, per: 1_000, burst: 3 },
      recipient: { messages: 1, per: 1_000, burst: 3 }
    })
    expect(rates({ messages_per_second: 5 })?.connection).toEqual({ messages: 5, per: 1_000, burst: 1 })
  })
})
