import { describe, expect, it } from "@effect/vitest"
import { fakeMessenger, messengerCustomers } from "@parley/testkit"
import { Effect } from "effect"
import { capabilities } from "../src/capabilities.js"
import { page } from "./opened.js"

const [psid] = messengerCustomers.facebook
const [igsid] = messengerCustomers.instagram

const text = (to: string, message: object = {}, more: object = {}) => ({
  recipient: { id: to },
  messaging_type: "RESPONSE",
  message: { text: "Hello", ...message },
  ...more
})

const reaction = (to: string, payload: object, sender_action = "react") => ({
  recipient: { id: to },
  sender_action,
  payload: { message_id: "m_1", ...payload }
})

/** The status and the error's codes of what the fake answers. */
const posting = (body: unknown, { id = page.pageId, ...headers }: { readonly [name: string]: string } = {}) =>
  Effect.gen(function* () {
    const vendor = yield* fakeMessenger(page)
    const answer = yield* Effect.promise(() =>
      fetch(`${vendor.url}/v23.0/${id}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${page.accessToken}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
    )
    const { error } = (yield* Effect.promise(() => answer.json())) as {
      readonly error?: { readonly code: number; readonly error_subcode?: number }
    }
    if (error !== undefined) expect(vendor.taken).toEqual([])
    return [answer.status, error?.code ?? null, error?.error_subcode ?? null]
  })

describe("the fake of Messenger", () => {
  for (const body of [
    text(psid),
    text(psid, { metadata: "1" }),
    text(igsid),
    text(igsid, { text: "é".repeat(500) }),
    text(psid, {}, { reply_to: { mid: "m_1" } }),
    reaction(psid, { reaction: "👍" }),
    reaction(igsid, { reaction: "love" }),
    reaction(igsid, {}, "unreact")
  ]) {
    it.scopedLive(`takes ${JSON.stringify(body).slice(0, 120)}`, () =>
      Effect.map(posting(body), (answer) => expect(answer).toEqual([200, null, null]))
    )
  }

  for (const [what, body, subcode] of [
    ["a field that Meta does not know", text(psid, {}, { colour: "red" }), null],
    ["a field within the message", text(psid, { bold: true }), null],
    ["no type of message", text(psid, {}, { messaging_type: undefined }), null],
    ["another type of message", text(psid, {}, { messaging_type: "MESSAGE_TAG" }), null],
    ["an empty text", text(psid, { text: "" }), null],
    ["a text that is too long for Messenger", text(psid, { text: "x".repeat(2_001) }), null],
    ["a text of too many bytes for Instagram", text(igsid, { text: "é".repeat(501) }), null],
    ["metadata for Instagram", text(igsid, { metadata: "1" }), null],
    ["a quote of what is no message", text(psid, {}, { reply_to: { mid: "reaction.1" } }), null],
    ["a reaction by name for Messenger", reaction(psid, { reaction: "love" }), null],
    ["a reaction by emoji for Instagram", reaction(igsid, { reaction: "❤" }), null],
    ["a reaction without an emoji", reaction(psid, {}), null],
    ["a reaction that is taken back with an emoji", reaction(psid, { reaction: "👍" }, "unreact"), null],
    ["a reaction to what is no message", reaction(psid, { message_id: "17", reaction: "👍" }), null],
    ["a reaction for an unknown customer", reaction("42", { reaction: "👍" }), 2018001],
    ["an unknown customer", text("42"), 2018001]
  ] as const) {
    it.scopedLive(`refuses ${what}`, () =>
      Effect.map(posting(body), (answer) => expect(answer).toEqual([400, 100, subcode]))
    )
  }

  it.scopedLive("refuses a wrong token, another's Page and what is not JSON", () =>
    Effect.gen(function* () {
      expect(yield* posting(text(psid), { authorization: "Bearer other" })).toEqual([401, 190, null])
      expect(yield* posting(text(psid), { authorization: page.accessToken })).toEqual([401, 190, null])
      expect(yield* posting(text(psid), { id: "42" })).toEqual([400, 100, 33])
      expect(yield* posting(text(psid), { "content-type": "text/plain" })).toEqual([400, 100, null])
    })
  )
})

// The fake sees the URL of a file only, so the declared types are compared with those of Meta's page.
describe("the file types of Instagram", () => {
  const { types = [] } = capabilities("instagram").files ?? {}
  const names = (format: string) => new RegExp(`/(x-)?${format}$`)

  for (const [kind, formats] of [
    ["image", ["png", "jpeg", "gif"]],
    ["video", ["mp4", "ogg", "msvideo", "quicktime", "webm"]],
    ["audio", ["aac", "m4a", "wav", "mp4"]],
    ["application", ["pdf"]]
  ] as const) {
    it(`are those of Meta's page: ${kind}`, () => {
      const declared = types.filter((type) => type.startsWith(`${kind}/`))
      for (const format of formats) expect(declared.some((type) => names(format).test(type))).toBe(true)
      for (const type of declared) expect(formats.some((format) => names(format).test(type))).toBe(true)
    })
  }
})
