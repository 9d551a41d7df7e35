import { describe, expect, it } from "@effect/vitest"
import { orderReadyTemplate } from "@parley/testkit"
import { Effect } from "effect"
import { sendableTemplate } from "../src/sendableTemplate.js"
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
      const parts = { header: null, footer: "The shop", buttons: [], named: false }
      const same = { body: "Hello {{1}}, your order {{2}} is ready.", parts }
      expect(listed).toEqual([
        { name: "order_ready", language: "en_US", category: "utility", ...same, status: "approved" },
        { name: "order_ready", language: "de", category: "marketing", ...same, status: "rejected" },
        ...[
          {
            name: "named",
            language: "en_US",
            category: "utility",
            ...same,
            parts: { ...parts, named: true },
            status: "approved"
          }
        ],
        { name: "positional", language: "en_US", category: "utility", ...same, status: "paused" },
        { name: "new", language: "en_US", category: "utility", ...same, status: null }
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

  it.scopedLive("fails if the list has no end", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.templates.push(...Array.from({ length: 200 }, (_, n) => ({ ...orderReadyTemplate, name: `n${n}` })))
      expect(yield* Effect.flip(provider.listTemplates(account.connection, account.credentials))).toMatchObject({
        reason: "the list of templates has no end"
      })
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

describe("a template of Meta", () => {
  const body = { type: "BODY", text: "Hello {{1}}" }
  const nothing = { header: null, footer: null, buttons: [], named: false }
  const read = (components: ReadonlyArray<unknown>, category = "UTILITY", parameterFormat?: string) =>
    sendableTemplate({ category, parameterFormat, components })

  it.each([
    ["a footer", { type: "FOOTER", text: "The shop" }, { footer: "The shop" }],
    [
      "a text header",
      { type: "HEADER", format: "TEXT", text: "For {{1}}" },
      { header: { type: "text", text: "For {{1}}" } }
    ],
    ["an image header", { type: "HEADER", format: "IMAGE" }, { header: { type: "image", text: null } }],
    ["a video header", { type: "HEADER", format: "VIDEO" }, { header: { type: "video", text: null } }],
    ["a document header", { type: "HEADER", format: "DOCUMENT" }, { header: { type: "document", text: null } }],
    [
      "buttons",
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Yes" },
          { type: "PHONE_NUMBER", text: "Call" },
          { type: "URL", text: "Track", url: "https://a.b/{{1}}" },
          { type: "COPY_CODE", text: "Copy" }
        ]
      },
      {
        buttons: [
          { type: "reply", text: "Yes", url: null },
          { type: "phone", text: "Call", url: null },
          { type: "url", text: "Track", url: "https://a.b/{{1}}" },
          { type: "code", text: "Copy", url: null }
        ]
      }
    ]
  ])("is read with %s", (_, component, parts) => {
    expect(read([component, body])).toEqual({ body: "Hello {{1}}", parts: { ...nothing, ...parts } })
  })

  it("is read despite null fields", () => {
    const buttons = [{ type: "QUICK_REPLY", text: "Yes", url: null }]
    const components = [
      { ...body, format: null, buttons: null, cards: null },
      { type: "BUTTONS", text: null, buttons }
    ]
    expect(read(components)?.parts?.buttons).toEqual([{ type: "reply", text: "Yes", url: null }])
  })

  it("has no parts if the body is all", () => {
    expect(read([body])).toEqual({ body: "Hello {{1}}", parts: null })
  })

  it("may name its slots", () => {
    expect(read([body], "UTILITY", "NAMED")?.parts).toEqual({ ...nothing, named: true })
  })

  it.each(["OTP", "URL"])("for one-time passwords copies the code of the body, listed with a button %s", (type) => {
    const buttons = [{ type, text: "Copy code", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" }]
    const parts = read([body, { type: "BUTTONS", buttons }], "AUTHENTICATION")?.parts
    expect(parts?.buttons).toMatchObject([{ type: "otp", text: "Copy code" }])
  })

  it("may have a button that opens the catalogue", () => {
    const parts = read([body, { type: "BUTTONS", buttons: [{ type: "CATALOG", text: "View catalog" }] }])?.parts
    expect(parts?.buttons).toEqual([{ type: "catalog", text: "View catalog", url: null }])
  })

  it("may have a button that shows products", () => {
    const parts = read([body, { type: "BUTTONS", buttons: [{ type: "MPM", text: "View items" }] }])?.parts
    expect(parts?.buttons).toEqual([{ type: "products", text: "View items", url: null }])
  })

  const image = { type: "HEADER", format: "IMAGE", example: { header_handle: ["https://scontent.example/1"] } }
  const carousel = (...cards: ReadonlyArray<ReadonlyArray<unknown>>) => ({
    type: "CAROUSEL",
    cards: cards.map((components) => ({ components }))
  })

  it("may have a carousel", () => {
    const buttons = [
      { type: "QUICK_REPLY", text: "More" },
      { type: "URL", text: "Buy", url: "https://a.b/{{1}}" }
    ]
    const card = [image, { type: "BODY", text: "Only {{1}}" }, { type: "BUTTONS", buttons }]
    expect(read([body, carousel(card, [{ type: "HEADER", format: "VIDEO" }])])?.parts).toEqual({
      ...nothing,
      cards: [
        {
          header: "image",
          body: "Only {{1}}",
          buttons: [
            { type: "reply", text: "More", url: null },
            { type: "url", text: "Buy", url: "https://a.b/{{1}}" }
          ]
        },
        { header: "video", body: null, buttons: [] }
      ]
    })
  })

  const product = { type: "HEADER", format: "PRODUCT" }
  const view = { type: "BUTTONS", buttons: [{ type: "SPM", text: "View" }] }

  it("may have a carousel of products", () => {
    const link = { type: "BUTTONS", buttons: [{ type: "URL", text: "Buy", url: "https://a.b/{{1}}" }] }
    expect(read([body, carousel([product, view], [product, link])])?.parts).toEqual({
      ...nothing,
      cards: [
        { header: "product", body: null, buttons: [{ type: "product", text: "View", url: null }] },
        { header: "product", body: null, buttons: [{ type: "url", text: "Buy", url: "https://a.b/{{1}}" }] }
      ]
    })
  })

  it.each([
    ["a product", [product, body]],
    ["a button for a product", [body, view]],
    ["a card without a header", [body, carousel([body])]],
    ["a card with another part", [body, carousel([image, { type: "FOOTER", text: "The shop" }])]],
    ["a card with another button", [body, carousel([image, view])]],
    ["a card of another shape", [body, { type: "CAROUSEL", cards: [7] }]],
    ["a place for a header", [{ type: "HEADER", format: "LOCATION" }, body]],
    ["a form", [body, { type: "BUTTONS", buttons: [{ type: "FLOW" }] }]],
    ["an empty carousel", [body, { type: "CAROUSEL", cards: [] }]],
    ["a part of another shape", [body, 7]],
    ["no body", [{ type: "FOOTER", text: "The shop" }]],
    ["an empty body", [{ type: "BODY", text: "" }]]
  ])("is left out with %s", (_, components) => {
    expect(read(components)).toBeNull()
  })
})
