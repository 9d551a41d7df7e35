import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { addressOf, normaliseHandle } from "../../../src/resources/contacts/Handle.js"

const taken: ReadonlyArray<readonly [Parameters<typeof normaliseHandle>[0], string, string]> = [
  ["email", "  Ada@Example.ORG ", "ada@example.org"],
  ["email", "o'neil+tag=1@a-b.example", "o'neil+tag=1@a-b.example"],
  ["email", "Jörg@bücher.example", "jörg@xn--bcher-kva.example"],
  ["email", "ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
  ["email", `${"a".repeat(64)}@example.org`, `${"a".repeat(64)}@example.org`],
  ["phone", "+49 (170) 123-45.67", "+491701234567"],
  ["phone", "0049 170 1234567", "+491701234567"],
  ["whatsapp", "+1234567", "+1234567"],
  ["whatsapp", "+123456789012345", "+123456789012345"],
  ["whatsapp", "US.13491208655302741918", "US.13491208655302741918"],
  ["telegram", " 123456 ", "123456"],
  ["webchat", "visitor-1", "visitor-1"]
]
const refused: ReadonlyArray<readonly [Parameters<typeof normaliseHandle>[0], string]> = [
  ["email", "ada"],
  ["email", "ada@example"],
  ["email", "a b@example.org"],
  ["email", "x:optout@customer.test"],
  ["email", "mailto:optout@customer.test"],
  ["email", "optout@customer.test(a)"],
  ["email", "(a)optout@customer.test"],
  ["email", "group:optout@customer.test;"],
  ["email", '"optout"@customer.test'],
  ["email", "<optout@customer.test>"],
  ["email", "@relay.test:optout@customer.test"],
  ["email", "optout@customer.test@relay.test"],
  ["email", "a@b..de"],
  ["email", "a@.b.de"],
  ["email", "a@b.de."],
  ["email", ".a@c.de"],
  ["email", "a.@c.de"],
  ["email", "a..b@c.de"],
  ["email", "optout@customer\u200b.test"],
  ["email", "optout\u200b@customer.test"],
  ["email", "optout\ufe0f@customer.test"],
  ["email", "optout\u0007@customer.test"],
  ["email", "optout@[127.0.0.1]"],
  ["email", "optout@127.0.0.1"],
  ["email", "a@-b.de"],
  ["email", "a@b_c.de"],
  ["email", `${"a".repeat(65)}@example.org`],
  ["email", `a@${"b".repeat(64)}.de`],
  ["email", `a@${"b.".repeat(130)}de`],
  ["email", "a@b.org\nBcc: c@d.org"],
  ["phone", "0170 1234567"],
  ["phone", "+123456"],
  ["phone", "+1234567890123456"],
  ["phone", "US.1349"],
  ["whatsapp", "+49170abc"],
  ["telegram", " "],
  ["instagram", "one\ntwo"]
]

describe("handle normalisation", () => {
  it.each(taken)("normalises %s %j to %j", (channel, text, handle) => {
    expect(normaliseHandle(channel, text)).toEqual(Either.right(handle))
  })
  it.each(refused)("refuses %s %j", (channel, text) => {
    expect(Either.isLeft(normaliseHandle(channel, text))).toBe(true)
  })
  it("leaves normalised handles unchanged", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("email" as const, "phone" as const, "whatsapp" as const, "telegram" as const),
        fc.string(),
        (channel, text) => {
          const once = normaliseHandle(channel, text)
          if (Either.isRight(once)) expect(normaliseHandle(channel, once.right)).toEqual(once)
        }
      )
    )
  })
  it("gives phone and WhatsApp numbers one address, and a business-scoped id another", () => {
    expect(addressOf("whatsapp", "+491701234567")).toEqual(addressOf("phone", "+491701234567"))
    expect(addressOf("whatsapp", "US.1349").space).toBe("whatsapp")
  })
})
