import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { opened, twilioAccount } from "./opened.js"

const url = "https://parley.example/inbound/1"

describe("a check of an SMS connection", () => {
  it.scopedLive("says where the number's messages go, also after a set-up", () =>
    Effect.gen(function* () {
      const { account, provider } = yield* opened()
      const check = provider.check(account.connection, account.credentials)
      expect(yield* check).toEqual({ _tag: "Working", detail: "Acme, no webhook yet: set it up" })
      expect(yield* provider.setUp(account.connection, account.credentials, url)).toMatchObject({ _tag: "Working" })
      expect(yield* check).toEqual({ _tag: "Working", detail: `Acme, webhook ${url}` })
    })
  )
  it.scopedLive("fails for a number of another account, a suspended account and unreadable answers", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened({}, "+15550109999")
      const { check, setUp } = provider
      const problem = { _tag: "Failing", problem: "The account does not have the number +15550109999." }
      expect(yield* check(account.connection, account.credentials)).toEqual(problem)
      expect(yield* setUp(account.connection, account.credentials, url)).toEqual(problem)
      vendor.status = "suspended"
      expect(yield* check(account.connection, account.credentials)).toMatchObject({
        problem: "Twilio says that the account is suspended."
      })
      vendor.refuseNext({ code: 20404, status: 404 })
      expect(yield* check(account.connection, account.credentials)).toMatchObject({
        problem: "Twilio does not know the account_sid."
      })
      yield* Effect.promise(vendor.stop)
      expect(yield* check(account.connection, account.credentials)).toMatchObject({
        problem: expect.stringContaining("Twilio could not be reached")
      })
    })
  )
  it.scopedLive("names the URL to enter by hand for a Messaging Service and a short code", () =>
    Effect.gen(function* () {
      const service = yield* opened({ messaging_service_sid: twilioAccount.messagingServiceSid })
      const short = yield* opened({}, "12345")
      for (const { account, provider } of [service, short]) {
        expect(yield* provider.setUp(account.connection, account.credentials, url)).toMatchObject({
          _tag: "Failing",
          problem: expect.stringContaining(url)
        })
        expect(yield* provider.check(account.connection, account.credentials)).toMatchObject({ _tag: "Working" })
      }
    })
  )
})
