import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { billingOf } from "../src/billingOf.js"
import { parseSender } from "../src/handles.js"
import { aMessage, now, opened, twilioAccount } from "./opened.js"

const file = { type: "image", contentType: "image/png", fileName: null, size: 3 } as const

describe("a send by SMS", () => {
  it.scopedLive("names the webhook for its progress, with our id", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const webhookUrl = "https://parley.example/inbound/1"
      yield* provider.send(account.connection, account.credentials, aMessage({ webhookUrl }), now)
      yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(vendor.taken.map(({ sender, statusCallback }) => [sender, statusCallback])).toEqual([
        [twilioAccount.number, `${webhookUrl}?message=01900000-0000-7000-8000-000000000001`],
        [twilioAccount.number, null]
      ])
    })
  )
  it.scopedLive("goes through the Messaging Service, if there is one", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened({
        messaging_service_sid: twilioAccount.messagingServiceSid
      })
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome._tag).toBe("Accepted")
      expect(vendor.taken[0]?.sender).toBe(twilioAccount.messagingServiceSid)
    })
  )
  it.scopedLive("is queued at Twilio until it reports more, where it can report", () =>
    Effect.gen(function* () {
      const { account, provider } = yield* opened()
      const send = (webhookUrl: string | null) =>
        provider.send(account.connection, account.credentials, aMessage({ webhookUrl }), now)
      const billing = { segments: 1 }
      expect(yield* send("https://parley.example/inbound/1")).toMatchObject({ _tag: "Accepted", queued: true, billing })
      expect(yield* send(null)).toMatchObject({ _tag: "Accepted", queued: false, billing })
    })
  )
  it("costs what Twilio says, which it writes as a change of the balance", () => {
    expect(billingOf("2", "-0.00790", "usd")).toEqual({
      segments: 2,
      pricing: { billable: null, category: null, model: null, price: "0.00790", currency: "USD" }
    })
    expect(billingOf("0", null, "USD")).toEqual({ segments: null })
    expect(billingOf(undefined, undefined, undefined)).toEqual({ segments: null })
  })
  it.scopedLive("with a file needs a public URL of this service", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const files = [{ ...file, url: null, bytes: undefined as never }]
      expect(yield* provider.send(account.connection, account.credentials, aMessage({ files }), now)).toMatchObject({
        _tag: "Rejected",
        providerCode: "no_public_url",
        providerMessage: expect.stringContaining("PARLEY_PUBLIC_URL")
      })
      expect(vendor.taken).toEqual([])
    })
  )
  it.scopedLive("keeps 50 messages a second, or as many as configured", () =>
    Effect.gen(function* () {
      const { account, provider } = yield* opened()
      expect(provider.rates(account.connection).connection?.messages).toBe(50)
      const { account: slower } = yield* opened({ messages_per_second: 1 })
      expect(provider.rates(slower.connection).connection?.messages).toBe(1)
    })
  )
})

describe("a sender", () => {
  it.each([
    ["+1 (555) 010-0001", "+15550100001"],
    ["12345", "12345"],
    ["ACME Shop", "ACME Shop"]
  ])("may be %s", (text, stored) => {
    expect(parseSender(text)).toMatchObject({ right: stored })
  })
  it.each(["12", "123456789", "A sender too long", "Müller", "!"])("may not be %s", (text) => {
    expect(parseSender(text)).toMatchObject({ left: expect.stringMatching(/^must be a number/) })
  })
})
