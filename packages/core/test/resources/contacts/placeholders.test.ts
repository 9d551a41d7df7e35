import { aContact } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  escapeHtml,
  fillIn,
  fillInJson,
  hasPlaceholder,
  maxFilledLength,
  type PlaceholderValues
} from "../../../src/resources/contacts/placeholders.js"

const contact = aContact({
  firstName: "Ada",
  company: null,
  optedOut: false,
  tags: ["VIP"],
  customFields: { plan: "gold", seats: 3 }
})
const values: PlaceholderValues = {
  contact,
  event: "order.shipped",
  applicationId: "app-1",
  data: JSON.parse(`{
    "order": {"number": "A-7", "total": 12.5, "paid": true, "lines": [{"title": "Bread"}, {"title": "Jam"}]},
    "nothing": null, "zero": 0, "braces": "{{event}}", "__proto__": {"own": "mine"}, "ü.": "never", "größe": "XL",
    "First name": {"as written": "Ada L."}
  }`),
  answers: { size: "m" }
}

describe("a text with placeholders", () => {
  it.each([
    ["{{data.order.number}}", "A-7"],
    ["{{ data.order.total }}", "12.5"],
    ["{{data.order.paid}}/{{contact.opted_out}}", "true/false"],
    ["{{data.zero}}", "0"],
    ["{{data.order.lines.1.title}}", "Jam"],
    ["{{data.größe}}", "XL"],
    ["{{data.First name.as written}}, {{ data.First name.as written\n}}", "Ada L., Ada L."],
    ["{{contact.first_name}} {{contact.name}}", "Ada Ada Byron"],
    ["{{contact.custom_fields.plan}} {{contact.custom_fields.seats}}", "gold 3"],
    ["{{contact.tags.0}} {{contact.identities.0.channel}}", "VIP whatsapp"],
    ["{{event}} {{contact_id}} {{application_id}}", `order.shipped ${contact.id} app-1`],
    ["{{answers.size}}", "m"],
    ["Hi {{contact.first_name}}, bye", "Hi Ada, bye"],
    ["{{\n\tevent }}{{event}}", "order.shippedorder.shipped"]
  ])("is filled in: %s", (text, filled) => {
    expect(fillIn(text, values)).toBe(filled)
  })
  it.each([
    "{{data.unknown}}",
    "{{data.nothing}}",
    "{{data.order}}",
    "{{data.order.lines}}",
    "{{data}}",
    "{{contact}}",
    "{{contact.company}}",
    "{{contact.firstName}}",
    "{{event.length}}",
    "{{data.order.lines.length}}",
    "{{data.order.lines.-1}}",
    "{{data.order.lines.01.title}}",
    "{{data.order.number.0}}",
    "{{data.__proto__.toString}}",
    "{{data.order.__proto__}}",
    "{{data.constructor.name}}",
    "{{contact.toString}}",
    "{{answers.hasOwnProperty}}",
    "{{__proto__}}",
    "{{constructor}}",
    "{{.}}",
    "{{data..order}}",
    "{{data.a b}}",
    "{{data.First  name.as written}}",
    "{{ 1 + 1 }}"
  ])("has empty text for a missing value: %s", (text) => {
    expect(fillIn(`<${text}>`, values)).toBe("<>")
  })
  it("reads own properties of any name only", () => {
    expect(fillIn("{{data.__proto__.own}}", values)).toBe("mine")
  })
  it.each(["{{}}", "{{ }}", "{event}", "{{event}", "{{ {event}}", "}}{{", "{{1+1"])(
    "stays unchanged without a name: %s",
    (text) => {
      expect(fillIn(text, values)).toBe(text)
    }
  )
  it("is not filled in again", () => {
    expect(fillIn("{{data.braces}}", values)).toBe("{{event}}")
    expect(fillIn("{{{{event}}}}", values)).toBe("{{order.shipped}}")
  })
  it("has empty text for absent values", () => {
    expect(fillIn("{{event}}{{data.x}}{{answers.x}}{{application_id}}|{{contact.name}}", { contact })).toBe(
      "|Ada Byron"
    )
  })
  it("escapes inserted values, not the text around them", () => {
    const data = { note: `<b a="1">'&` }
    expect(fillIn("<p>{{data.note}}</p>", { contact, data }, escapeHtml)).toBe(
      "<p>&lt;b a=&quot;1&quot;&gt;&#39;&amp;</p>"
    )
  })
  it("without braces stays unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plain = text.replace(/[{}]/g, "")
        expect(fillIn(plain, values)).toBe(plain)
      })
    )
  })
  it("never throws, for any name", () => {
    const name = fc.constantFrom("data", "contact", "event", "__proto__", "constructor", "0", "length", "", ".", "a")
    const path = fc.array(name, { maxLength: 5 }).map((names) => `{{${names.join(".")}}}`)
    fc.assert(
      fc.property(path, fc.jsonValue(), (text, json) => {
        expect(typeof fillIn(text, { contact, data: { a: json } })).toBe("string")
      })
    )
  })
  it.each(["{{", "{{a", "{{ ", "{{a ", "{", "}}", "{{a}", "{{data.x}}", "{{a.", "{{\n"])(
    "takes time that grows with its length alone: %j a million times over",
    (part) => {
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      expect(fillIn(text, values).length).toBeLessThanOrEqual(text.length)
    }
  )
  it("leaves one long name, or one long gap, unchanged", () => {
    for (const text of [
      `{{${"a".repeat(1_000_000)}}}`,
      `{{${" ".repeat(1_000_000)}`,
      `{{a${" ".repeat(1_000_000)}b}}`
    ]) {
      expect(fillIn(text, values)).toBe(text)
    }
  })
  it("is cut off at its limit, between characters", () => {
    const data = { big: "x".repeat(maxFilledLength - 1) }
    expect(fillIn("{{data.big}}".repeat(5_000), { contact, data })).toBe("x".repeat(maxFilledLength))
    expect(fillIn("{{data.big}}😀", { contact, data })).toBe(data.big)
  })
})

describe("a JSON value with placeholders", () => {
  it("has every text filled in and its field names unchanged", () => {
    const value = JSON.parse(
      `{"{{event}}": ["{{event}}", 1, null, {"deep": "{{data.zero}}"}], "__proto__": "{{event}}"}`
    )
    expect(JSON.stringify(fillInJson(value, values))).toBe(
      `{"{{event}}":["order.shipped",1,null,{"deep":"0"}],"__proto__":"order.shipped"}`
    )
  })
  it("may be any JSON, and without braces stays unchanged", () => {
    fc.assert(
      fc.property(
        fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replace(/[{]{2,}/g, "{"))),
        (value) => {
          expect(fillInJson(value, values)).toEqual(value)
        }
      )
    )
  })
  it("is bounded as a whole", () => {
    const data = { big: "x".repeat(maxFilledLength / 2) }
    const filled = fillInJson(
      Array.from({ length: 1_000 }, () => "{{data.big}}"),
      { contact, data }
    )
    expect(JSON.stringify(filled).length).toBeLessThan(maxFilledLength + 10_000)
  })
  it("is checked for placeholders", () => {
    expect([["{{a}}"], { a: { b: "x {{" } }, "{{"].map(hasPlaceholder)).toEqual([true, true, true])
    expect([["a"], { a: "{" }, 1, null, undefined].map(hasPlaceholder)).toEqual([false, false, false, false, false])
  })
})
