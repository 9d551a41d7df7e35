import { aContact } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { exactJson, exactNumbersOf, hasExactNumbers, parseJson } from "../../../src/kernel/input/exactNumbers.js"
import { fillIn } from "../../../src/resources/contacts/placeholders.js"

const big = "12345678901234567891"
const parse = (text: string) => parseJson(text)
const outcome = (read: () => unknown) => {
  try {
    return JSON.stringify(read())
  } catch (error) {
    return error instanceof SyntaxError ? "malformed" : error
  }
}

describe("parsing JSON", () => {
  it("gives doubles, and keeps the digits that they do not hold", () => {
    const value = parse(`{"a":${big},"b":[1,-0.1234567890123456789],"c":{"d":1e5}}`)
    expect(value).toEqual({ a: Number(big), b: [1, -0.12345678901234568], c: { d: 100_000 } })
    expect([...exactNumbersOf(value)]).toEqual([["a", big]])
    expect([...exactNumbersOf((value as { b: unknown }).b)]).toEqual([["1", "-0.1234567890123456789"]])
    expect(hasExactNumbers(value)).toBe(true)
  })
  it.each(["9007199254740992", "1234567890123456", "0.1234567890123456", `"${big}"`, `"\\"${big}"`, "1e15"])(
    "keeps no digits of %s",
    (text) => expect(hasExactNumbers(parse(`{"a":[${text}]}`))).toBe(false)
  )
  it.each([
    `{${big}:1}`,
    `{${big} \n:1}`,
    `{"a":1,${big}:2}`,
    `{"a":0${big}}`,
    `{"a":${big}.}`,
    `{"a":+${big}}`,
    `{"a":${big}${big}e}`,
    `{"a":[1 ${big}]}`,
    `${big}"`
  ])("fails for %s", (text) => expect(() => parse(text)).toThrow(SyntaxError))
  it("takes no text for a mark", () => {
    const value = parse(`{"a":"\\u00000","b":"\\u0000\\u00000","c":${big},"d":"\\\\u00000"}`)
    expect(value).toEqual({ a: "\u00000", b: "\0\u00000", c: Number(big), d: "\\u00000" })
  })
  it("answers as JSON.parse does, whatever the text", () => {
    const number = fc.stringMatching(/^-?[0-9]{14,20}(\.[0-9]{1,4})?(e[0-9])?$/)
    const text = fc
      .tuple(
        fc.jsonValue(),
        fc.array(number, { minLength: 1 }),
        fc.nat(),
        fc.constantFrom("", ":", "\\", '"', ",", "}")
      )
      .map(([value, numbers, at, extra]) => {
        const whole = `{"n":[${numbers.join(" , ")}],"v":${JSON.stringify(value)}}`
        const place = at % whole.length
        return whole.slice(0, place) + extra + whole.slice(place)
      })
    fc.assert(
      fc.property(text, (json) => {
        expect(outcome(() => parse(json))).toBe(outcome(() => JSON.parse(json)))
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("writing JSON", () => {
  it("writes numbers as they were read", () => {
    const text = `{"a":${big},"b":[${big},null,"x\\n"],"":{"__proto__":-${big}.5}}`
    expect(exactJson(parse(text))).toBe(text)
  })
  it("is JSON.stringify for all other values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value)).toBe(JSON.stringify(value))
      })
    )
    expect(exactJson({ a: undefined, b: [undefined], c: "ü" })).toBe('{"b":[null],"c":"ü"}')
  })
})

it("placeholders have all digits of a number", () => {
  const values = {
    contact: aContact({ id: "01900000-0000-7000-8000-000000000001" }),
    data: parse(`{"o":[${big}]}`) as object as Record<string, unknown>
  }
  expect(fillIn("{{data.o.0}} {{data.o.1}}", values)).toBe(`${big} `)
})
