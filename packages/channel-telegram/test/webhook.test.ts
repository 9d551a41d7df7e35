import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { answerCallback } from "../src/webhook/answerCallback.js"
import { parse } from "../src/webhook/parse.js"
import { acted, customer, kept, receives } from "./received.js"

describe("buttons", () => {
  const from = { id: customer, is_bot: false, first_name: "Ada" }
  const chat = { id: customer, type: "private", first_name: "Ada" }
  const pressed = (fields: object, message: object = {}) => ({
    id: "4382",
    from,
    message: { message_id: 3, chat, date: 0, ...message },
    chat_instance: "1",
    data: "later",
    ...fields
  })
  const inline_keyboard = [
    [{ text: "Now", callback_data: "now" }],
    [
      { text: "Site", url: "https://parley.example" },
      { text: "Later today", callback_data: "later" }
    ]
  ]

  it.effect("are read by label, otherwise by data", () =>
    Effect.gen(function* () {
      const body = (message: object) =>
        Effect.map(receives({ callback_query: pressed({}, message) }), (events) => {
          expect(events).toMatchObject([
            acted({
              providerMessageId: "callback:4382",
              body: expect.any(String),
              content: { type: "choice", id: "later" },
              quoted: { providerMessageId: "123456789:3" }
            })
          ])
          return events.map((event) => event._tag === "Message" && event.body)
        })
      expect(yield* body({ reply_markup: { inline_keyboard } })).toEqual(["Later today"])
      expect(yield* body({ reply_markup: { inline_keyboard: [["?"]] } })).toEqual(["later"])
      expect(yield* body({})).toEqual(["later"])
    })
  )

  it("are answered, so that the customer's app ends its progress bar", () => {
    const answer = (update: object) => answerCallback({ body: Buffer.from(JSON.stringify(update)) })
    const answered = answer({ update_id: 1, callback_query: pressed({}) })
    expect(JSON.parse(String(answered?.body))).toEqual({ method: "answerCallbackQuery", callback_query_id: "4382" })
    expect(answered?.headers).toEqual({ "content-type": "application/json" })
    for (const other of [
      { update_id: 1, message: { text: '"callback_query"' } },
      { update_id: 1, callback_query: pressed({ id: 7 }) },
      { update_id: 1, callback_query: null }
    ]) {
      expect(answer(other)).toBe(null)
    }
  })

  it.effect("are stored raw if they are not from a customer to the bot", () =>
    Effect.gen(function* () {
      const inGroup = pressed({}, { chat: { id: -100, type: "group" } })
      expect(yield* receives({ callback_query: inGroup })).toEqual([kept("callback_query.group", inGroup)])
      const inline = pressed({ message: undefined, inline_message_id: "1" })
      expect(yield* receives({ callback_query: inline })).toEqual([kept("callback_query", inline)])
    })
  )
})

describe("reactions", () => {
  for (const [what, reaction, emoji, body] of [
    ["an emoji", { type: "emoji", emoji: "👍" }, "👍", "👍"],
    [
      "a custom emoji",
      { type: "custom_emoji", custom_emoji_id: "5368324170671202286" },
      "5368324170671202286",
      "Custom emoji"
    ],
    ["a paid reaction", { type: "paid" }, "⭐", "⭐"],
    ["a reaction of a new kind", { type: "hologram" }, "?", "?"]
  ] as const) {
    it.effect(`with ${what} are readable`, () =>
      Effect.gen(function* () {
        const message_reaction = {
          chat: { id: customer, type: "private" },
          message_id: 3,
          user: { id: customer, is_bot: false, first_name: "Ada" },
          date: 1,
          old_reaction: [{ type: "emoji", emoji: "👎" }],
          new_reaction: [{ type: "emoji", emoji: "👎" }, reaction]
        }
        expect(yield* receives({ message_reaction })).toEqual([
          acted({
            providerMessageId: "123456789:3:reaction:1:1",
            body,
            content: { type: "reaction", emoji },
            quoted: { providerMessageId: "123456789:3" }
          })
        ])
      })
    )
  }
})

describe("memberships", () => {
  const membership = (status: string, type = "private") => ({
    chat: { id: customer, type },
    from: { id: customer, is_bot: false, first_name: "Ada" },
    date: 1_790_000_000,
    old_chat_member: { status: "member" },
    new_chat_member: { status, user: { id: 1, is_bot: true, first_name: "Shop" } }
  })

  for (const [status, optedOut] of [
    ["kicked", true],
    ["member", false]
  ] as const) {
    it.effect(`of a customer that are ${status} are their word on everything`, () =>
      Effect.gen(function* () {
        expect(yield* receives({ my_chat_member: membership(status) })).toEqual([
          { _tag: "OptOut", handle: "123456789", scope: "all", optedOut, at: 1_790_000_000_000 }
        ])
        const { date: _, ...undated } = membership(status)
        expect(yield* receives({ my_chat_member: undated })).toEqual([
          { _tag: "OptOut", handle: "123456789", scope: "all", optedOut }
        ])
      })
    )
  }

  it.effect("of a group or another kind are stored raw", () =>
    Effect.gen(function* () {
      for (const other of [membership("kicked", "group"), membership("administrator")]) {
        expect(yield* receives({ my_chat_member: other })).toEqual([kept("my_chat_member", other)])
      }
    })
  )
})

describe("what cannot be read", () => {
  const reported = (body: string) => parse({ body: Buffer.from(body) }, null)

  for (const text of ["", "not JSON", "null", "[]", "{}", '{"update_id":"1"}', '{"message":{}}']) {
    it.effect(`refuses ${JSON.stringify(text)}`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(reported(text))).toMatchObject({ _tag: "WebhookUnreadable" })
      })
    )
  }

  it.effect("stores too deeply nested updates, truncated", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const [only] = yield* reported(`{"update_id":1,"message":${deep},"new":{"a":1,"deep":${deep}}}`)
      expect(only?.events).toMatchObject([
        { kind: "message" },
        { kind: "new", raw: expect.stringMatching(/^{"a":1,"deep":\[+null/) }
      ])
    })
  )

  it.effect("stores an update without content", () =>
    Effect.gen(function* () {
      expect(yield* reported('{"update_id":7}')).toEqual([
        { account: null, events: [kept("update", { update_id: 7 })] }
      ])
    })
  )
})
