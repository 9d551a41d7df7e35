import { describe, expect, it } from "@effect/vitest"
import type { CheckOutcome } from "@parley/core"
import { aWhatsAppBusiness, type FakeWhatsApp, fakeWhatsApp, type GraphErrorAnswer } from "@parley/testkit"
import { Effect } from "effect"
import { whatsapp } from "../src/index.js"
import { accountOf } from "./account.js"
import { business, opened } from "./opened.js"

const message = (outcome: CheckOutcome): string =>
  outcome._tag === "Working" ? `working: ${outcome.detail}` : `failing: ${outcome.problem}`

describe("check", () => {
  const checks = (arrange: (vendor: FakeWhatsApp) => void, credentials = {}) =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      arrange(vendor)
      return message(yield* provider.check(account.connection, { ...account.credentials, ...credentials }))
    })

  it.scopedLive("reports the number, its status and its webhook URL", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined)).toBe(
        "working: +1 555-000-1111, shown as Business 1; quality green; no webhook yet: set it up"
      )
      const hook = "https://parley.example/inbound/1"
      expect(yield* checks(({ callbacks }) => callbacks.set(business.phoneNumberId, hook))).toContain(`webhook ${hook}`)
      expect(
        yield* checks(({ number }) => Object.assign(number, { display_phone_number: "+1 555-999-9999" }))
      ).toContain("but the connection's handle is another number, +15550001111")
    })
  )

  it.scopedLive("names the missing settings for template sync", () =>
    Effect.gen(function* () {
      const { account, provider } = yield* opened()
      const { business_account_id: _, ...config } = account.connection.config
      const outcome = yield* provider.check({ ...account.connection, config }, account.credentials)
      expect(message(outcome)).toMatch(/^working: .*; without a business_account_id, no templates are taken over$/)
    })
  )

  for (const [what, arrange, problem] of [
    ["a number that is not registered", { platform_type: "NOT_APPLICABLE" }, "not registered for the Cloud API"],
    ["a number that is banned", { status: "BANNED" }, "is banned: see WhatsApp Manager"]
  ] as const) {
    it.scopedLive(`fails for ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* checks(({ number }) => Object.assign(number, arrange))).toMatch(
          new RegExp(`^failing: .*${problem}`)
        )
      })
    )
  }

  it.scopedLive("fails for wrong settings, and names them", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined, { access_token: "EAAwrong" })).toContain("does not take the access_token")
      expect(yield* checks(() => undefined, { app_secret: "wrong" })).toContain("app_secret is not that of the app")
      expect(yield* checks(() => undefined, { verify_token: "" })).toContain("not complete")
    })
  )

  for (const [error, problem] of [
    [{ code: 100, subcode: 33 }, "does not know the phone_number_id"],
    [{ code: 10, status: 403 }, "lacks a permission"],
    [{ code: 200, status: 403 }, "lacks a permission"],
    [{ code: 131031, status: 403 }, "error 131031. WhatsApp restricts this account"],
    [{ code: 4 }, "cannot answer for now: status 400, error 4"]
  ] as ReadonlyArray<readonly [GraphErrorAnswer, string]>) {
    it.scopedLive(`says what error ${error.code} wants done`, () =>
      Effect.gen(function* () {
        expect(yield* checks(({ refuseNext }) => refuseNext(error))).toContain(problem)
      })
    )
  }

  it.scopedLive("fails if the vendor is unreachable, or the id is of another object", () =>
    Effect.gen(function* () {
      expect(
        yield* checks(({ answerNext }) => answerNext({ status: 200, body: { id: "1", name: "An app" } }))
      ).toContain("id of something else")
      const { account, provider, vendor } = yield* opened()
      yield* Effect.promise(vendor.stop)
      expect(message(yield* provider.check(account.connection, account.credentials))).toContain("ECONNREFUSED")
    })
  )
})

describe("setUp", () => {
  /** The webhook of a host. */
  const withHook = Effect.gen(function* () {
    const world = yield* opened()
    const { connection, credentials } = world.account
    const hook = yield* fakeWhatsApp()
    const setUp = Effect.map(world.provider.setUp(connection, credentials, `${hook.url}/inbound/1`), message)
    return { ...world, hook, setUp }
  })

  it.scopedLive("registers the URL with Meta, and subscribes the app if necessary", () =>
    Effect.gen(function* () {
      const { hook, setUp, vendor } = yield* withHook
      hook.answerNext({ status: 200, body: "1158201444" })
      expect(yield* setUp).toMatch(/^working: Meta calls http/)
      expect(vendor.callbacks.get(business.phoneNumberId)).toBe(`${hook.url}/inbound/1`)
      expect(vendor.subscribed.has(business.businessAccountId)).toBe(true)
    })
  )

  it.scopedLive("keeps an existing subscription", () =>
    Effect.gen(function* () {
      const { hook, setUp, vendor } = yield* withHook
      vendor.answerNext({ status: 200, body: { data: [{ whatsapp_business_api_data: { id: "1" } }] } })
      hook.answerNext({ status: 200, body: "1158201444" })
      expect(yield* setUp).toMatch(/^working/)
      expect(vendor.subscribed.size).toBe(0)
    })
  )

  it.scopedLive("reports the manual steps if Meta rejects the URL", () =>
    Effect.gen(function* () {
      const { hook, setUp, vendor } = yield* withHook
      hook.answerNext({ status: 403, body: "1158201444" })
      const problem = yield* setUp
      expect(problem).toMatch(/^failing: Meta could not check/)
      expect(problem).toContain(`enter the callback URL ${hook.url}/inbound/1 with the connection's verify_token`)
      expect(vendor.callbacks.size).toBe(0)
      vendor.refuseNext({ code: 200, status: 403 })
      expect(yield* setUp).toContain("lacks a permission")
    })
  )

  it.scopedLive("works without the business account id", () =>
    Effect.gen(function* () {
      const { account, hook, provider, vendor } = yield* withHook
      const { business_account_id: _, ...config } = account.connection.config
      hook.answerNext({ status: 200, body: "1158201444" })
      const outcome = yield* provider.setUp({ ...account.connection, config }, account.credentials, `${hook.url}/1`)
      expect(outcome._tag).toBe("Working")
      expect(vendor.subscribed.size).toBe(0)
    })
  )
})

describe("rates", () => {
  const rates = (config: object) => {
    const { connection } = accountOf(aWhatsAppBusiness())
    return whatsapp().rates?.({ ...connection, config: { ...connection.config, ...config } })
  }

  it.effect("are Meta's by default", () =>
    Effect.sync(() =>
      expect(rates({})).toEqual({
        connection: { messages: 80, per: 1_000, burst: 8 },
        recipient: { messages: 1, per: 6_000, burst: 45 }
      })
    )
  )

  it.effect("are the configured ones", () =>
    Effect.sync(() =>
      expect(rates({ messages_per_second: 5, recipient_every_ms: 100, recipient_burst: 2 })).toEqual({
        connection: { messages: 5, per: 1_000, burst: 1 },
        recipient: { messages: 1, per: 100, burst: 2 }
      })
    )
  )
})
