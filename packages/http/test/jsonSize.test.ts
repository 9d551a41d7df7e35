import { maxImported } from "@parley/core"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { maxKeys, maxValues } from "../src/server/jsonBody.js"
import { type JsonSize, jsonSize } from "../src/server/jsonSize.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)
const sizeOf = (text: string, levels = Number.POSITIVE_INFINITY) => {
  const { keys, values } = jsonSize(bytesOf(text), levels)
  return { keys, values }
}

/** Counts a parsed value, with what is in its first levels. */
const counted = (value: unknown, levels = Number.POSITIVE_INFINITY): Omit<JsonSize, "deeper"> => {
  if (typeof value !== "object" || value === null) return { values: 1, keys: 0 }
  const inner = Object.values(value).map((one) => counted(one, levels - 1))
  const sum = (count: "keys" | "values") => inner.reduce((total, one) => total + one[count], 0)
  if (levels <= 0) return { values: 1, keys: 0 }
  return { values: 1 + sum("values"), keys: sum("keys") + (Array.isArray(value) ? 0 : inner.length) }
}

const json = fc.jsonValue({ depthSize: "medium", stringUnit: "binary" })
const indents = fc.constantFrom(undefined, "", " ", "\t", "\n", "\r\n  ")

describe("the size of a JSON text", () => {
  it("is that of the parsed value, however it is written", () => {
    fc.assert(
      fc.property(json, indents, fc.nat(8), (value, indent, levels) => {
        const text = JSON.stringify(value, null, indent)
        expect(sizeOf(text)).toEqual(counted(JSON.parse(text)))
        expect(sizeOf(text, levels)).toEqual(counted(JSON.parse(text), levels))
      })
    )
  })
  it.each([
    ["[]", { values: 1, keys: 0 }],
    [" [ ] ", { values: 1, keys: 0 }],
    ["[[],{}]", { values: 3, keys: 0 }],
    [`{"a,b":"[{:\\"}],","c\\\\":[1,2]}`, { values: 5, keys: 2 }],
    [`{"a":1,"a":2}`, { values: 3, keys: 2 }],
    [`\ufeff{"é":["ü"]}`, { values: 3, keys: 1 }]
  ])("is counted for %s", (text, size) => {
    expect(sizeOf(text)).toEqual(size)
  })
  it("is counted for any bytes, without failing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const size = jsonSize(bytes, 100)
        expect(size.values).toBeLessThanOrEqual(1 + bytes.length)
        expect(size.deeper.every(({ end, start }) => start < end && end <= bytes.length)).toBe(true)
      })
    )
  })
  it.each([
    ["[[1],{}]", 2, []],
    ["[[1],{}]", 1, ["[1]", "{}"]],
    [`{"a":[[{}],"]"],"b":[[]]}`, 2, ["[{}]", "[]"]],
    ["[[[1,[", 2, ["[1,["]]
  ] as const)("finds what in %s is below level %i", (text, levels, found) => {
    const { deeper } = jsonSize(bytesOf(text), levels)
    expect(deeper.map(({ end, start }) => text.slice(start, end))).toEqual(found)
  })
  it("leaves room for the largest import of contacts", () => {
    const contact = (index: number) => ({
      first_name: "A",
      last_name: "B",
      company: "C",
      job_title: "D",
      email: `a${index}@b.example`,
      phone: `+4930${index}`,
      country: "DE",
      city: "E",
      language: "de",
      timezone: "UTC",
      lifecycle_stage: "lead",
      opted_out: false,
      marketing_opted_out: false,
      tags: Array.from({ length: 20 }, (_, tag) => `t${tag}`),
      identities: Array.from({ length: 10 }, (_, handle) => ({ channel: "telegram", handle: `${index}-${handle}` })),
      custom_fields: {}
    })
    const contacts = Array.from({ length: maxImported }, (_, index) => contact(index))
    const { keys, values } = sizeOf(JSON.stringify({ workspace_id: "", dry_run: true, on_known: "skip", contacts }))
    expect(keys).toBeLessThan(maxKeys)
    expect(values).toBeLessThan(maxValues)
  })
})
