import { describe, expect, it } from "@effect/vitest"
import { fakeTelegram } from "@parley/testkit"
import { Effect } from "effect"
import { bot } from "./opened.js"

const text = { chat_id: "123456789", text: "Hello" }

/** Status and description of the response. */
const posting = (method: string, parameters: unknown, { token = bot.token, type = "application/json" } = {}) =>
  Effect.gen(function* () {
    const vendor = yield* fakeTelegram(bot)
    const answer = yield* Effect.promise(() =>
      fetch(`${vendor.url}/bot${token}/${method}`, {
        method: "POST",
        headers: { "content-type": type },
        body: JSON.stringify(parameters)
      })
    )
    const { description, ok } = (yield* Effect.promise(() => answer.json())) as {
      readonly ok: boolean
      readonly description?: string
    }
    expect(ok).toBe(answer.status === 200)
    if (!ok) expect([vendor.taken, vendor.webhooks.size]).toEqual([[], 0])
    return [answer.status, description ?? null]
  })

describe("the fake of Telegram", () => {
  for (const chat_id of ["123456789", 123456789, -1001234567890]) {
    it.scopedLive(`takes a text to ${JSON.stringify(chat_id)}`, () =>
      Effect.map(posting("sendMessage", { ...text, chat_id }), (answer) => expect(answer).toEqual([200, null]))
    )
  }

  for (const [what, method, parameters, description] of [
    ["an unknown field", "sendMessage", { ...text, colour: "red" }, /parameters/],
    ["no recipient", "sendMessage", { text: "Hello" }, /parameters/],
    ["a name to send to", "sendMessage", { ...text, chat_id: "@ada" }, /parameters/],
    ["an empty text", "sendMessage", { ...text, text: " \n" }, /message text is empty/],
    ["a text that is too long", "sendMessage", { ...text, text: "🥐".repeat(4_097) }, /message is too long/],
    [
      "an id of an option above 64 bytes",
      "sendMessage",
      { ...text, reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: "é".repeat(33) }]] } },
      /BUTTON_DATA_INVALID/
    ],
    ["a place off the globe", "sendLocation", { chat_id: "1", latitude: 91, longitude: 0 }, /bad location/],
    ["a venue without an address", "sendVenue", { chat_id: "1", latitude: 1, longitude: 0, title: "P" }, /parameters/],
    [
      "an emoji that is no reaction",
      "setMessageReaction",
      { chat_id: "1", message_id: 3, reaction: [{ type: "emoji", emoji: "🥐" }] },
      /REACTION_INVALID/
    ],
    ["an unknown file", "getFile", { file_id: "none" }, /invalid file_id/],
    ["a webhook without https", "setWebhook", { url: "http://parley.example" }, /HTTPS/],
    ["a webhook on another port", "setWebhook", { url: "https://parley.example:1234" }, /ports/],
    ["a secret with a space", "setWebhook", { url: "https://parley.example", secret_token: "a b" }, /parameters/],
    ["an update of another name", "setWebhook", { url: "https://parley.example", allowed_updates: ["x"] }, /parameters/]
  ] as const) {
    it.scopedLive(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const answer = yield* posting(method, parameters)
        expect(answer).toEqual([400, expect.stringMatching(description)])
      })
    )
  }

  it.scopedLive("refuses a wrong token, an unknown method and invalid JSON", () =>
    Effect.gen(function* () {
      expect(yield* posting("sendMessage", text, { token: "1:other" })).toEqual([401, "Unauthorized"])
      expect(yield* posting("sendMessage", text, { token: "other" })).toEqual([404, "Not Found"])
      expect(yield* posting("sendHologram", text)).toEqual([404, "Not Found"])
      expect(yield* posting("sendMessage", text, { type: "text/plain" })).toEqual([
        400,
        "Bad Request: parameters are not JSON"
      ])
    })
  )
})
