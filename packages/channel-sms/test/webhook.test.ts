import { expect, it } from "@effect/vitest"
import { type ProviderRequest, webhookUrl } from "@parley/core"
import { aTwilioAccount, twilioCustomers, twilioWebhook } from "@parley/testkit"
import { Effect } from "effect"
import { describe } from "vitest"
import { sms } from "../src/index.js"
import { accountOf } from "./account.js"
import { now } from "./opened.js"

const twilio = aTwilioAccount(1)
const { connection, credentials } = accountOf(twilio)
const { webhook } = sms()
const url = webhookUrl("https://parley.example", connection.id)
const messageId = "01900000-0000-7000-8000-000000000001"
const [customer] = twilioCustomers
const fields = { MessageSid: "SM1", AccountSid: twilio.accountSid, From: customer, To: twilio.number, Body: "a b+c&é" }

const verified = (request: ProviderRequest) => webhook?.verify(connection, credentials, request, now)
const eventsOf = (fields: { readonly [name: string]: string }, at = url) =>
  Effect.map(webhook?.parse(connection, twilioWebhook(twilio, at, fields), now) ?? Effect.die("no webhook"), (all) =>
    all.flatMap(({ events }) => events)
  )
const progress = (status: string, more: { readonly [name: string]: string } = {}) =>
  eventsOf({ MessageSid: "SM1", MessageStatus: status, To: customer, ...more }, `${url}?message=${messageId}`)

describe("the signature of Twilio", () => {
  const encoded = (form: URLSearchParams) => new TextEncoder().encode(form.toString())
  const request = twilioWebhook(twilio, url, fields)

  it("covers every field, and its name", () => {
    expect(verified(request)).toBe(true)
    for (const name of Object.keys(fields)) {
      const changed = new URLSearchParams(fields)
      changed.set(name, `${changed.get(name)}x`)
      expect(verified({ ...request, body: encoded(changed) })).toBe(false)
      const renamed = new URLSearchParams({ ...fields, [`${name}X`]: "" })
      expect(verified({ ...request, body: encoded(renamed) })).toBe(false)
      const missing = new URLSearchParams(fields)
      missing.delete(name)
      expect(verified({ ...request, body: encoded(missing) })).toBe(false)
    }
  })
  it("covers the URL, the connection and the message that it names", () => {
    const reported = twilioWebhook(twilio, `${url}?message=${messageId}`, fields)
    expect(verified(reported)).toBe(true)
    expect(verified({ ...reported, query: {} })).toBe(false)
    expect(verified({ ...reported, query: { message: "other" } })).toBe(false)
    expect(verified({ ...request, webhookUrl: webhookUrl("https://parley.example", messageId) })).toBe(false)
    const { webhookUrl: _, ...withoutUrl } = request
    expect(verified(withoutUrl)).toBe(false)
  })
  it("may cover the fragment with which the URL is registered, and no other", () => {
    expect(verified(twilioWebhook(twilio, `${url}#rc=5&rp=all`, fields))).toBe(true)
    expect(verified(twilioWebhook(twilio, `${url}#rc=0`, fields))).toBe(false)
  })
})

describe("what Twilio reports", () => {
  it.effect("is a message with its form as JSON, and the number of its segments", () =>
    Effect.gen(function* () {
      const [message] = yield* eventsOf({ ...fields, NumSegments: "2" })
      expect(message).toMatchObject({ _tag: "Message", billing: { segments: 2 } })
      expect(message?._tag === "Message" && JSON.parse(message.raw ?? "")).toEqual({ ...fields, NumSegments: "2" })
    })
  )
  it.effect("is our message's progress, by our id and its own", () =>
    Effect.gen(function* () {
      expect(yield* progress("delivered", { RawDlrDoneDate: "2609211312" })).toMatchObject([
        {
          _tag: "Receipt",
          providerMessageId: "SM1",
          messageId,
          receipt: { status: "delivered", at: Date.parse("2026-09-21T13:12:00Z"), error: null }
        }
      ])
      for (const step of ["accepted", "queued", "scheduled", "sending"]) expect(yield* progress(step)).toEqual([])
      expect(yield* progress("sent")).toMatchObject([{ receipt: { status: "sent", at: now } }])
    })
  )
  it.effect("names the reason of a failure in our words", () =>
    Effect.gen(function* () {
      expect(yield* progress("undelivered", { ErrorCode: "30007" })).toMatchObject([
        {
          receipt: {
            status: "failed",
            error: {
              message: "A carrier filtered the message out as unwanted.",
              provider: { code: "30007", message: "" }
            }
          }
        }
      ])
      expect(yield* progress("failed", { ErrorCode: "99999", ErrorMessage: "Odd" })).toMatchObject([
        { receipt: { error: { code: "provider_error", provider: { code: "99999", message: "Odd" } } } }
      ])
      expect(yield* progress("failed", { ErrorCode: "30002" })).toMatchObject([
        { refusal: { providerCode: "30002", providerMessage: "The Twilio account is suspended." } }
      ])
      expect(yield* progress("failed", { ErrorCode: "21610" })).toMatchObject([
        { _tag: "Receipt" },
        { _tag: "OptOut", handle: customer, scope: "all", optedOut: true }
      ])
      expect(yield* progress("canceled")).toMatchObject([{ receipt: { status: "failed" } }])
    })
  )
  it.effect("says that Twilio took it for an opt-out or opt-in", () =>
    Effect.gen(function* () {
      for (const [OptOutType, optOut] of [
        ["STOP", true],
        ["START", false]
      ] as const) {
        const events = yield* eventsOf({ ...fields, OptOutType })
        expect(events).toHaveLength(1)
        expect(events).toMatchObject([{ _tag: "Message", from: customer, optOut }])
      }
      expect(yield* eventsOf({ ...fields, OptOutType: "HELP" })).toMatchObject([{ _tag: "Message", optOut: null }])
    })
  )
  it.effect("may have odd fields, which discard nothing", () =>
    Effect.gen(function* () {
      expect(yield* eventsOf({ ...fields, NumMedia: "many" })).toMatchObject([{ attachments: [] }])
      expect(yield* eventsOf({ ...fields, NumMedia: "99", MediaUrl0: "u" })).toMatchObject([
        { attachments: [{ type: "other", contentType: null, content: { reference: "u" } }] }
      ])
      expect(yield* progress("delivered", { RawDlrDoneDate: "soon" })).toMatchObject([{ receipt: { at: now } }])
      expect(yield* eventsOf({ MessageSid: "SM1" })).toMatchObject([{ _tag: "Unknown", kind: "message" }])
      expect(yield* Effect.flip(eventsOf({ Body: "no id" }))).toMatchObject({ _tag: "WebhookUnreadable" })
    })
  )
  it("is answered with an empty document, so that Twilio answers the customer nothing", () => {
    expect(webhook?.answer?.(twilioWebhook(twilio, url, fields))).toMatchObject({
      status: 200,
      headers: { "content-type": "text/xml" },
      body: "<Response/>"
    })
  })
})
