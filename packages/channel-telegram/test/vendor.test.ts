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

  const photo = new File([new Uint8Array([1])], "a.jpg", { type: "image/jpeg" })
  const document = new File([new Uint8Array([1])], "a.bin", { type: "image/webp" })

  /** Status and description of an upload, and what was taken. */
  const uploading = (method: string, fields: { readonly [name: string]: string | File }) =>
    Effect.gen(function* () {
      const vendor = yield* fakeTelegram(bot)
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const answer = yield* Effect.promise(() =>
        fetch(`${vendor.url}/bot${bot.token}/${method}`, { method: "POST", body })
      )
      const { description = null } = (yield* Effect.promise(() => answer.json())) as { readonly description?: string }
      return { answer: [answer.status, description], taken: vendor.taken }
    })

  for (const [what, method, fields, status, description] of [
    ["no file", "sendPhoto", {}, 400, /no photo in the request/],
    ["a file in another field", "sendPhoto", { document: photo }, 400, /no photo in the request/],
    ["two files", "sendPhoto", { photo, thumb: photo }, 400, /no photo in the request/],
    ["a text in the place of the file", "sendPhoto", { photo: "https://parley.example/a.jpg" }, 400, /parameters/],
    ["an unknown field of an upload", "sendPhoto", { photo, colour: "red" }, 400, /parameters/],
    ["a reply that is no JSON", "sendPhoto", { photo, reply_parameters: "3" }, 400, /parameters/],
    ["a caption above 1,024", "sendDocument", { document, caption: "🥐".repeat(1_025) }, 400, /caption is too long/],
    ["a WebP as a photo", "sendPhoto", { photo: document }, 400, /IMAGE_PROCESS_FAILED/],
    ["a WebP as a video", "sendVideo", { video: document }, 400, /wrong type of video/],
    ["an empty file", "sendDocument", { document: new File([], "a.bin") }, 400, /non-empty/],
    [
      "a photo above 10 MB",
      "sendPhoto",
      { photo: new File([new Uint8Array(10 * 1024 * 1024 + 1)], "a.jpg", { type: "image/jpeg" }) },
      400,
      /file is too big/
    ]
  ] as const) {
    it.scopedLive(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const { answer, taken } = yield* uploading(method, { chat_id: "1", ...fields })
        expect(answer).toEqual([status, expect.stringMatching(description)])
        expect(taken).toEqual([])
      })
    )
  }

  it.scopedLive("refuses a request above 50 MiB by a page of its web server", () =>
    Effect.gen(function* () {
      const vendor = yield* fakeTelegram(bot)
      const body = new FormData()
      body.append("chat_id", "1")
      body.append("document", new File([new Uint8Array(50 * 1024 * 1024)], "a.bin"))
      const answer = yield* Effect.promise(() =>
        fetch(`${vendor.url}/bot${bot.token}/sendDocument`, { method: "POST", body })
      )
      expect([answer.status, yield* Effect.promise(() => answer.text())]).toEqual([
        413,
        expect.stringContaining("<html>")
      ])
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("refuses an upload that is no form", () =>
    Effect.gen(function* () {
      expect(yield* posting("sendPhoto", { chat_id: "1" })).toEqual([400, expect.stringMatching(/multipart/)])
    })
  )

  it.scopedLive("makes a sticker without a caption of a WebP, unless told otherwise", () =>
    Effect.gen(function* () {
      const fields = { chat_id: "1", document, caption: "Look" }
      const sticker = yield* uploading("sendDocument", fields)
      const file = yield* uploading("sendDocument", { ...fields, disable_content_type_detection: "true" })
      expect([sticker, file].flatMap(({ taken }) => taken.map(({ text }) => text))).toEqual([null, "Look"])
    })
  )

  it.scopedLive("refuses a keyboard above 10 kB", () =>
    Effect.gen(function* () {
      const inline_keyboard = Array.from({ length: 70 }, (_, index) => [
        { text: "é".repeat(64), callback_data: String(index) }
      ])
      const answer = yield* posting("sendMessage", { ...text, reply_markup: { inline_keyboard } })
      expect(answer).toEqual([400, expect.stringMatching(/reply markup is too long/)])
    })
  )
})
