import { describe, expect, it } from "@effect/vitest"
import type { CheckOutcome } from "@parley/core"
import type { FakeMessenger, GraphErrorAnswer } from "@parley/testkit"
import { Effect } from "effect"
import { opened, page } from "./opened.js"

const message = (outcome: CheckOutcome): string =>
  outcome._tag === "Working" ? `working: ${outcome.detail}` : `failing: ${outcome.problem}`

const url = "https://parley.example/inbound/1"

describe("check", () => {
  const checks = (
    arrange: (vendor: FakeMessenger) => void,
    {
      channel = "facebook",
      ...credentials
    }: { readonly channel?: "facebook" | "instagram"; readonly [field: string]: string } = {}
  ) =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened(channel)
      arrange(vendor)
      return message(yield* provider.check(account.connection, { ...account.credentials, ...credentials }))
    })

  it.scopedLive("reports the Page and its subscription", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined)).toBe("working: Shop 1; its messages are sent to no app yet: set it up")
      expect(yield* checks(({ subscribed }) => subscribed.set(page.pageId, ["messages"]))).toBe(
        "working: Shop 1; its messages are sent to an app"
      )
    })
  )

  it.scopedLive("works without permission to read the subscription", () =>
    Effect.gen(function* () {
      const outcome = yield* checks(({ answerNext, refuseNext }) => {
        answerNext({ status: 200, body: { id: page.pageId, name: "Shop 1" } })
        refuseNext({ code: 200, status: 403 })
      })
      expect(outcome).toBe("working: Shop 1; who gets its messages is not known")
    })
  )

  it.scopedLive("reports the Instagram account, and fails for another one", () =>
    Effect.gen(function* () {
      const channel = "instagram"
      expect(yield* checks(() => undefined, { channel })).toContain("working: @shop_1 of the Page Shop 1; ")
      expect(yield* checks((vendor) => Object.assign(vendor, { linked: false }), { channel })).toContain(
        "failing: No Instagram account is linked to the Page Shop 1"
      )
      const { account, provider } = yield* opened(channel)
      const { instagram_account_id: _, ...config } = account.connection.config
      const check = (instagram: object) =>
        provider.check({ ...account.connection, config: { ...config, ...instagram } }, account.credentials)
      expect(message(yield* check({ instagram_account_id: "42" }))).toContain(
        `its instagram_account_id is ${page.instagramId}`
      )
      expect(message(yield* check({}))).toContain("failing: The connection's config has no instagram_account_id")
    })
  )

  it.scopedLive("fails for wrong settings, and names them", () =>
    Effect.gen(function* () {
      expect(yield* checks(() => undefined, { page_access_token: "EAAwrong" })).toContain(
        "does not take the page_access_token"
      )
      expect(yield* checks(() => undefined, { app_secret: "wrong" })).toContain("app_secret is not that of the app")
      expect(yield* checks(() => undefined, { verify_token: "" })).toContain("not complete")
    })
  )

  for (const [error, problem] of [
    [{ code: 100, subcode: 33 }, "does not know the page_id"],
    [{ code: 10, status: 403 }, "lacks a permission"],
    [{ code: 200, status: 403 }, "lacks a permission"],
    [{ code: 368, status: 403 }, "error 368. Meta restricts this Page"],
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
      expect(yield* checks(({ answerNext }) => answerNext({ status: 200, body: { id: "1" } }))).toContain(
        "failing: The page_id is the id of something else"
      )
      const { account, provider, vendor } = yield* opened()
      yield* Effect.promise(vendor.stop)
      expect(message(yield* provider.check(account.connection, account.credentials))).toContain("ECONNREFUSED")
    })
  )
})

describe("setUp", () => {
  const wanted = [
    ...["messages", "messaging_postbacks", "messaging_referrals", "messaging_optins", "message_reactions"],
    ...["message_edits", "message_deliveries", "message_reads", "message_echoes", "messaging_policy_enforcement"]
  ]

  it.scopedLive("subscribes the app to the Page, and lists the remaining steps by channel", () =>
    Effect.gen(function* () {
      for (const [channel, left] of [
        ["facebook", "under Messenger, and subscribe to messages, messaging_postbacks, messaging_referrals"],
        [
          "instagram",
          "under Instagram, and subscribe to messages, messaging_postbacks, messaging_referral, message_reactions"
        ]
      ] as const) {
        const { account, provider, vendor } = yield* opened(channel)
        const outcome = message(yield* provider.setUp(account.connection, account.credentials, url))
        expect(outcome).toMatch(/^working: The app is subscribed to the Page/)
        expect(outcome).toContain(`callback URL ${url} with the connection's verify_token, ${left}`)
        expect(vendor.subscribed.get(page.pageId)).toEqual(wanted)
      }
    })
  )

  it.scopedLive("keeps existing subscriptions", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.subscribed.set(page.pageId, ["feed", "messages"])
      yield* provider.setUp(account.connection, account.credentials, url)
      expect(new Set(vendor.subscribed.get(page.pageId))).toEqual(new Set(["feed", ...wanted]))
    })
  )

  it.scopedLive("reports what to do if Meta refuses", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.refuseNext({ code: 200, status: 403 })
      const problem = message(yield* provider.setUp(account.connection, account.credentials, url))
      expect(problem).toMatch(/^failing: The page_access_token lacks a permission/)
      expect(problem).toContain(`callback URL ${url}`)
      expect(vendor.subscribed.size).toBe(0)
    })
  )
})

describe("profileName", () => {
  const names = (channel: "facebook" | "instagram", arrange: (vendor: FakeMessenger) => void, handle = "24") =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened(channel)
      arrange(vendor)
      return yield* provider.profileName(account.connection, account.credentials, handle)
    })

  for (const [channel, profile, name] of [
    ["facebook", { first_name: "Ada", last_name: "Lovelace" }, "Ada Lovelace"],
    ["facebook", { first_name: "Ada", last_name: "" }, "Ada"],
    ["facebook", { first_name: "", last_name: "" }, null],
    ["instagram", { name: "Ada Lovelace", username: "ada" }, "Ada Lovelace"],
    ["instagram", { name: null, username: "ada" }, "ada"],
    ["instagram", { name: "", username: null }, null]
  ] as const) {
    it.scopedLive(`is ${name} of ${JSON.stringify(profile)}`, () =>
      Effect.gen(function* () {
        expect(yield* names(channel, ({ profiles }) => profiles.set("24", profile))).toBe(name)
      })
    )
  }

  it.scopedLive("is null if Meta withholds it", () =>
    Effect.gen(function* () {
      expect(yield* names("facebook", () => undefined)).toBeNull()
      expect(yield* names("instagram", ({ refuseNext }) => refuseNext({ code: 230, status: 403 }))).toBeNull()
    })
  )

  it.scopedLive("is retried if Meta does not respond, or the token is wrong", () =>
    Effect.gen(function* () {
      for (const error of [{ code: 2 }, { code: 4 }, { code: 190, status: 401 }]) {
        const failure = yield* Effect.flip(names("facebook", ({ refuseNext }) => refuseNext(error)))
        expect(failure).toMatchObject({
          _tag: "ProviderUnavailable",
          reason: expect.stringContaining(`error ${error.code}`)
        })
      }
    })
  )
})
