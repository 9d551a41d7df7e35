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
      expect(yield* check).toEqual({ _tag: "Working", detail: "Acme, no webhook yet: run setup" })
      expect(yield* provider.setUp(account.connection, account.credentials, url)).toMatchObject({ _tag: "Working" })
      expect(yield* check).toEqual({ _tag: "Working", detail: `Acme, webhook ${url}` })
    })
  )
  it.scopedLive("says that messages go elsewhere, and takes them over at a set-up, with retries", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const { handle, id } = account.connection
      const detail = Effect.map(
        provider.check(account.connection, account.credentials, "https://parley.example"),
        (outcome) => (outcome._tag === "Working" ? outcome.detail : outcome.problem)
      )
      const ours = `https://parley.example/inbound/${id}`
      vendor.smsUrls.set(handle, "https://other.example/sms")
      expect(yield* detail).toBe(`Acme, its messages go to https://other.example/sms, not to ${ours}: run setup`)
      vendor.smsUrls.set(handle, ours)
      expect(yield* detail).toBe(`Acme, webhook ${ours}, without retries after failures: run setup again`)
      vendor.smsApplications.set(handle, "AP1")
      expect(yield* detail).toBe("Acme, its messages go to the TwiML application AP1: run setup")
      expect(yield* provider.setUp(account.connection, account.credentials, ours)).toEqual({
        _tag: "Working",
        detail: `Twilio sends the messages of ${handle} to ${ours}, no longer to its TwiML application AP1`
      })
      expect(yield* detail).toBe(`Acme, webhook ${ours}`)
      expect(vendor.smsUrls.get(handle)).toBe(`${ours}#rc=5&rp=all`)
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
