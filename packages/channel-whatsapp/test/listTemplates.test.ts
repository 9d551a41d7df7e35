import { describe, expect, it } from "@effect/vitest"
import { orderReadyTemplate } from "@parley/testkit"
import { Effect } from "effect"
import { sendableBody } from "../src/sendableBody.js"
import { opened } from "./opened.js"

describe("listTemplates", () => {
  it.scopedLive("returns the templates of all pages", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.templates.push(
        { ...orderReadyTemplate, language: "de", status: "REJECTED", category: "MARKETING" },
        { ...orderReadyTemplate, name: "named", parameter_format: "NAMED" },
        { ...orderReadyTemplate, name: "positional", parameter_format: "POSITIONAL", status: "PAUSED" },
        { ...orderReadyTemplate, name: "new", status: "A_NEW_STATUS" }
      )
      const listed = yield* provider.listTemplates(account.connection, account.credentials)
      const body = "Hello {{1}}, your order {{2}} is ready."
      expect(listed).toEqual([
        { name: "order_ready", language: "en_US", category: "utility", body, status: "approved" },
        { name: "order_ready", language: "de", category: "marketing", body, status: "rejected" },
        { name: "positional", language: "en_US", category: "utility", body, status: "paused" }
      ])
    })
  )

  it.scopedLive("returns none without a request if the account id is missing", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      yield* Effect.promise(vendor.stop)
      const { business_account_id: _, ...config } = account.connection.config
      expect(yield* provider.listTemplates({ ...account.connection, config }, account.credentials)).toEqual([])
    })
  )

  it.scopedLive("reports the reason of a failure", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const reasons: Array<string> = []
      const fails = Effect.map(
        Effect.flip(provider.listTemplates(account.connection, account.credentials)),
        ({ reason }) => reasons.push(reason)
      )
      vendor.refuseNext({ code: 4 })
      yield* fails
      vendor.answerNext({ status: 200, body: { data: "none" } })
      yield* fails
      expect(reasons).toEqual(["status 400, error 4", "an answer of another shape"])
    })
  )
})

describe("sendableBody", () => {
  const body = { type: "BODY", text: "Hello {{1}}" }

  for (const [what, more] of [
    ["no other parts", []],
    ["a footer", [{ type: "FOOTER", text: "The shop" }]],
    ["a text for a header", [{ type: "HEADER", format: "TEXT", text: "News" }]],
    [
      "buttons that are always the same",
      [
        {
          type: "BUTTONS",
          buttons: [{ type: "QUICK_REPLY" }, { type: "PHONE_NUMBER" }, { type: "URL", url: "https://a.b" }]
        }
      ]
    ]
  ] as const) {
    it.effect(`can send a template with ${what}`, () =>
      Effect.sync(() => expect(sendableBody([...more, body])).toBe("Hello {{1}}"))
    )
  }

  for (const [what, components] of [
    ["a file for a header", [{ type: "HEADER", format: "IMAGE" }, body]],
    ["a variable in the header", [{ type: "HEADER", format: "TEXT", text: "For {{1}}" }, body]],
    ["a variable in a button", [body, { type: "BUTTONS", buttons: [{ type: "URL", url: "https://a.b/{{1}}" }] }]],
    ["a one-time password", [body, { type: "BUTTONS", buttons: [{ type: "OTP" }] }]],
    ["a form", [body, { type: "BUTTONS", buttons: [{ type: "FLOW" }] }]],
    ["a carousel", [body, { type: "CAROUSEL", cards: [] }]],
    ["a part of another shape", [body, 7]],
    ["no body", [{ type: "FOOTER", text: "The shop" }]],
    ["an empty body", [{ type: "BODY", text: "" }]]
  ] as const) {
    it.effect(`cannot send a template with ${what}`, () =>
      Effect.sync(() => expect(sendableBody(components)).toBeNull())
    )
  }
})
