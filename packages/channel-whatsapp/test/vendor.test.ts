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
  for (const body of [text, { ...text, to: "491511234567" }, template(parameters("Ada", "4711"))]) {
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
    ["an unknown template", template({ name: "other" }), 132001],
    ["a language that the template does not have", template({ language: { code: "de" } }), 132001],
    ["too few variables", template(parameters("Ada")), 132000],
    ["no variables", template({}), 132000],
    ["a variable with a line break", template(parameters("Ada", "4711\n")), 132018]
  ] as const) {
    it.scopedLive(`refuses ${what}`, () => Effect.map(posting(body), ([, error]) => expect(error).toBe(code)))
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
