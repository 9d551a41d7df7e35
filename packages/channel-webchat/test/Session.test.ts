import { expect, it } from "@effect/vitest"
import { day } from "@parley/core"
import * as fc from "effect/FastCheck"
import { readSession, sessionLength, signSession } from "../src/Session.js"

const now = 1_790_000_000_000
const secret = "s".repeat(32)
const session = { handle: "customer:42", name: "Ada", expires: now + 1 }
const token = signSession(secret, "here", session)

it("reads a signed session until it expires", () => {
  expect(readSession(secret, "here", token, now)).toEqual(session)
  expect(readSession(secret, "here", token, now + 1)).toBeNull()
})

it("rejects sessions of another connection or secret", () => {
  expect(readSession(secret, "there", token, now)).toBeNull()
  expect(readSession("t".repeat(32), "here", token, now)).toBeNull()
})

it("rejects truncated and altered sessions", () => {
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom("", "A", "_", ".", "é"), (at, by) => {
      const altered = token.slice(0, at) + by + token.slice(at + 1)
      // The last base64 character has unused bits.
      fc.pre(altered !== token && at < token.length - 1)
      expect(readSession(secret, "here", altered, now)).toBeNull()
    })
  )
  for (let length = 0; length < token.length - 1; length += 1) {
    expect(readSession(secret, "here", token.slice(0, length), now)).toBeNull()
  }
})

it("rejects text that is not a token", () => {
  fc.assert(fc.property(fc.string(), (text) => readSession(secret, "here", text, now) === null))
})

it("lasts 90 days for a visitor and one day for a customer", () => {
  expect(sessionLength("visitor:x")).toBe(90 * day)
  expect(sessionLength("customer:x")).toBe(day)
})
