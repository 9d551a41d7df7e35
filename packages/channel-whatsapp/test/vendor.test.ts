import { describe, expect, it } from "@effect/vitest"
import { fakeWhatsApp } from "@parley/testkit"
import { Effect } from "effect"
import { business } from "./opened.js"

const text = {
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: "+491511234567",
  type: "text",
  text: { body: "Hello", preview_url: false }
}
const template = (fields: object) => {
  const { text: _, ...rest } = text
  return { ...rest, type: "template", template: { name: "order_ready", language: { code: "en_US" }, ...fields } }
}
const parameters = (...texts: ReadonlyArray<string>) => ({
  components: [{ type: "body", parameters: texts.map((text) => ({ type: "text", text })) }]
})

const buttons = (...replies: ReadonlyArray<object>) => ({
  ...{ ...text, text: undefined, type: "interactive" },
  interactive: {
    ...{ type: "button", body: { text: "Now?" } },
    action: { buttons: replies.map((reply) => ({ type: "reply", reply })) }
  }
})
const list = (...rows: ReadonlyArray<object>) => ({
  ...{ ...text, text: undefined, type: "interactive" },
  interactive: { type: "list", body: { text: "Now?" }, action: { button: "Options", sections: [{ rows }] } }
})
const yes = { id: "yes", title: "Yes" }

/** Status and error code of the response. */
const posting = (
  body: unknown,
  { id = business.phoneNumberId, ...headers }: { readonly [name: string]: string } = {}
) =>
  Effect.gen(function* () {
    const vendor = yield* fakeWhatsApp(business)
    const answer = yield* Effect.promise(() =>
      fetch(`${vendor.url}/v23.0/${id}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${business.accessToken}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
    )
    const { error } = (yield* Effect.promise(() => answer.json())) as { readonly error?: { readonly code: number } }
    if (error !== undefined) expect(vendor.taken).toEqual([])
    return [answer.status, error?.code ?? null]
  })

describe("the fake of WhatsApp", () => {
  const good = [text, { ...text, to: "491511234567" }, template(parameters("Ada", "4711"))]
  for (const body of [...good, buttons(yes, { id: "no", title: "No" }), list(yes, { ...yes, id: "also" })]) {
    it.scopedLive(`takes ${JSON.stringify(body)}`, () =>
      Effect.map(posting(body), (answer) => expect(answer).toEqual([200, null]))
    )
  }

  for (const [what, body, code] of [
    ["an unknown field", { ...text, colour: "red" }, 100],
    ["a field within the text", { ...text, text: { body: "Hi", bold: true } }, 100],
    ["another product", { ...text, messaging_product: "sms" }, 100],
    ["an unknown type", { ...text, type: "hologram" }, 100],
    ["no recipient", { ...text, to: undefined }, 100],
    ["two recipients", { ...text, recipient: "US.1349" }, 100],
    ["an invalid number", { ...text, to: "US.1349" }, 100],
    ["an empty text", { ...text, text: { body: "" } }, 100],
    ["a text that is too long", { ...text, text: { body: "x".repeat(4_097) } }, 100],
    ["a callback that is too long", { ...text, biz_opaque_callback_data: "x".repeat(513) }, 100],
    ["buttons with one title", buttons(yes, { ...yes, id: "also" }), 100],
    ["buttons with one id", buttons(yes, { ...yes, title: "No" }), 100],
    ["rows with one id", list(yes, { ...yes, title: "No" }), 100],
    ["an unknown template", template({ name: "other" }), 132001],
    ["a language that the template does not have", template({ language: { code: "de" } }), 132001],
    ["too few variables", template(parameters("Ada")), 132000],
    ["no variables", template({}), 132000],
    ["a variable with a line break", template(parameters("Ada", "4711\n")), 132018]
  ] as const) {
    it.scopedLive(`refuses ${what}`, () => Effect.map(posting(body), ([, error]) => expect(error).toBe(code)))
  }

  const card = (index: number, sub_type = "quick_reply") => ({
    card_index: index,
    components: [{ type: "button", sub_type, index: "0", parameters: [{ type: "payload", payload: "more" }] }]
  })
  const carousel = (...cards: ReadonlyArray<object>) => [{ type: "carousel", cards }]
  const products = (...sections: ReadonlyArray<object>) => [
    {
      ...{ type: "button", sub_type: "mpm", index: "0" },
      parameters: [{ type: "action", action: { thumbnail_product_retailer_id: "rye", sections } }]
    }
  ]
  const section = { title: "Dark", product_items: [{ product_retailer_id: "rye" }] }

  const productCard = (index: number, catalog_id?: string) => ({
    card_index: index,
    components: [
      { type: "header", parameters: [{ type: "product", product: { product_retailer_id: `p${index}`, catalog_id } }] }
    ]
  })
  const productCards = (count: number) =>
    carousel(...Array.from({ length: count }, (_, index) => productCard(index, "194836987003835")))

  for (const [what, name, components, code] of [
    ["takes more cards of products than it has", "catalogue", productCards(10), null],
    ["refuses a single card of a product", "catalogue", productCards(1), 132012],
    ["refuses eleven cards of products", "catalogue", productCards(11), 132012],
    ["refuses products without a catalogue", "catalogue", carousel(productCard(0), productCard(1)), 100],
    ["refuses products on other cards", "carousel", productCards(2), 132012],
    ["takes the values of all cards", "carousel", carousel(card(0), card(1)), null],
    ["refuses a missing card", "carousel", carousel(card(0)), 132012],
    ["refuses cards without their values", "carousel", undefined, 132012],
    ["refuses cards in another order", "carousel", carousel(card(1), card(0)), 132012],
    ["refuses another button of a card", "carousel", carousel(card(0), card(1, "copy_code")), 100],
    ["takes products", "products", products(section), null],
    ["refuses missing products", "products", undefined, 132012],
    ["refuses several sections without titles", "products", products(section, { ...section, title: undefined }), 100],
    ["refuses products for a template without a button", "plain", products(section), 132012]
  ] as const) {
    it.scopedLive(`${what} of a template`, () =>
      Effect.gen(function* () {
        const vendor = yield* fakeWhatsApp(business)
        const body = { type: "BODY", text: "New" }
        const buttons = (type: string) => ({ type: "BUTTONS", buttons: [{ type, text: "More" }] })
        const shown = { components: [{ type: "HEADER", format: "PRODUCT" }, buttons("SPM")] }
        const cards = [{ components: [buttons("QUICK_REPLY")] }, { components: [buttons("QUICK_REPLY")] }]
        const common = { language: "en_US", status: "APPROVED", category: "MARKETING" }
        vendor.templates.push(
          { ...common, name: "plain", components: [body] },
          { ...common, name: "products", components: [body, buttons("MPM")] },
          { ...common, name: "catalogue", components: [body, { type: "CAROUSEL", cards: [shown, shown] }] },
          { ...common, name: "carousel", components: [body, { type: "CAROUSEL", cards }] }
        )
        const response = yield* Effect.promise(() =>
          fetch(`${vendor.url}/v23.0/${business.phoneNumberId}/messages`, {
            method: "POST",
            headers: { authorization: `Bearer ${business.accessToken}`, "content-type": "application/json" },
            body: JSON.stringify(template({ name, components }))
          })
        )
        const { error } = (yield* Effect.promise(() => response.json())) as {
          readonly error?: { readonly code: number }
        }
        expect(error?.code ?? null).toBe(code)
      })
    )
  }

  for (const [what, parameter_name, code] of [
    ["takes the name of the slot in", "order", null],
    ["refuses a value without a name for", undefined, 132012],
    ["refuses another name of the slot in", "name", 132012]
  ] as const) {
    it.scopedLive(`${what} a header`, () =>
      Effect.gen(function* () {
        const vendor = yield* fakeWhatsApp(business)
        const components = [{ type: "HEADER", format: "TEXT", text: "Order {{order}}" }]
        const common = { language: "en_US", status: "APPROVED", category: "UTILITY", parameter_format: "NAMED" }
        vendor.templates.push({ ...common, name: "named", components })
        const header = { type: "header", parameters: [{ type: "text", parameter_name, text: "1042" }] }
        const response = yield* Effect.promise(() =>
          fetch(`${vendor.url}/v23.0/${business.phoneNumberId}/messages`, {
            method: "POST",
            headers: { authorization: `Bearer ${business.accessToken}`, "content-type": "application/json" },
            body: JSON.stringify(template({ name: "named", components: [header] }))
          })
        )
        const { error } = (yield* Effect.promise(() => response.json())) as {
          readonly error?: { readonly code: number }
        }
        expect(error?.code ?? null).toBe(code)
      })
    )
  }

  it.scopedLive("refuses a wrong token, a number of another account and invalid JSON", () =>
    Effect.gen(function* () {
      expect(yield* posting(text, { authorization: "Bearer other" })).toEqual([401, 190])
      expect(yield* posting(text, { authorization: business.accessToken })).toEqual([401, 190])
      expect(yield* posting(text, { id: "42" })).toEqual([400, 100])
      expect(yield* posting(text, { "content-type": "text/plain" })).toEqual([400, 100])
    })
  )
})
