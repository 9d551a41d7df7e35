import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  accessTokenText,
  apiKeyText,
  hashOf,
  isAccessToken,
  matchesHash,
  matchesSecret
} from "../../../src/resources/access/Credential.js"

const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const random = fc.string({ unit: fc.constantFrom(...characters), minLength: 32, maxLength: 32 })
const serviceName = fc.oneof(fc.constantFrom("parley", "a_at_b", "x_at", "at"), fc.string({ minLength: 1 }))

describe("credentials", () => {
  it("distinguish access tokens from API keys by form, for any service name", () => {
    fc.assert(
      fc.property(serviceName, fc.constantFrom("live" as const, "test" as const), random, (name, mode, text) => {
        expect(isAccessToken(accessTokenText(name, text))).toBe(true)
        expect(isAccessToken(apiKeyText(name, mode, text))).toBe(false)
      })
    )
  })
  it("match their own hash only", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(matchesHash(one, hashOf(other))).toBe(hashOf(one) === hashOf(other))
      })
    )
  })
  it("match the same text only, not a part of it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (secret, other) => {
        expect(matchesSecret(secret, secret)).toBe(true)
        expect(matchesSecret(secret.slice(0, -1), secret)).toBe(false)
        expect(matchesSecret(other, secret)).toBe(other === secret)
      })
    )
  })
})
