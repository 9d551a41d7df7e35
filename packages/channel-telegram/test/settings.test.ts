import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { TelegramCredentials, telegram } from "../src/index.js"
import { accountOf } from "./account.js"
import { bot } from "./opened.js"

const read = Schema.decodeUnknownEither(TelegramCredentials)

describe("credentials", () => {
  it("generate a different secret each time if none is given", () => {
    const [one, other] = [read({ bot_token: ` ${bot.token}\n` }), read({ bot_token: bot.token })].map(Either.getOrThrow)
    expect(one?.bot_token).toBe(bot.token)
    expect(one?.secret_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(one?.secret_token).not.toBe(other?.secret_token)
  })

  it("reject a token that would change the URL", () => {
    for (const bot_token of ["", "123:x", `${bot.token}/getMe`, `../${bot.token}`, bot.token.replace(":", "")]) {
      expect(Either.isLeft(read({ bot_token }))).toBe(true)
    }
  })

  it("accept only secrets that Telegram accepts", () => {
    for (const secret_token of ["", "short", "with spaces in between", "x".repeat(257)]) {
      expect(Either.isLeft(read({ bot_token: bot.token, secret_token }))).toBe(true)
    }
  })
})

describe("the bot's own handle", () => {
  const parse = (handle: string) => telegram().parseOwnHandle?.("telegram", handle)

  it("is its username in any spelling", () => {
    for (const written of ["@Shop1_Bot", "shop1_bot"]) expect(parse(written)).toEqual(Either.right("@shop1_bot"))
  })

  it("rejects other values", () => {
    for (const written of ["@", "@1bot", "@@shop_bot", "https://t.me/shop_bot", "123456789"]) {
      expect(parse(written)).toEqual(Either.left("must be the bot's username, such as @acme_bot"))
    }
  })
})

describe("rates", () => {
  const rates = (config: { readonly [field: string]: unknown }) =>
    telegram().rates?.({ ...accountOf(bot).connection, config })

  it("are Telegram's, or a lower configured rate", () => {
    expect(rates({})).toEqual({
      connection: { messages: 30, per: 1_000, burst: 3 },
      recipient: { messages: 1, per: 1_000, burst: 3 }
    })
    expect(rates({ messages_per_second: 5 })?.connection).toEqual({ messages: 5, per: 1_000, burst: 1 })
  })
})
