import { AesSecretBox, type SecretKey } from "@parley/node"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { idInSignedId, signedId, signedIdLength, verifiedId } from "../../../src/resources/messages/signedId.js"

const key = (byte: number) => new Uint8Array(32).fill(byte) as SecretKey.SecretKey
const box = AesSecretBox.make(key(1))
const messageId = "01900000-0000-7000-8000-0000000000aa"
const given = signedId(box, "report", messageId)

describe("a signed id", () => {
  it("names its message, for every id", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uuid(), (id) => {
        const signed = signedId(box, "report", id)
        expect(signed).toMatch(/^[0-9a-v]{42}$/)
        expect(signed).toHaveLength(signedIdLength)
        expect(verifiedId(box, "report", signed)).toBe(id)
        expect(idInSignedId(signed)).toBe(id)
      })
    )
  })
  it("fits into the local part of an address, and survives a change of case", () => {
    expect(`customer-service-x+${given}`.length).toBeLessThanOrEqual(64)
    expect(verifiedId(box, "report", given.toUpperCase())).toBe(messageId)
  })
  it("is refused with any other character in any place", () => {
    for (let at = 0; at < given.length; at += 1) {
      for (const character of "0v8w-") {
        if (given[at] === character) continue
        const altered = given.slice(0, at) + character + given.slice(at + 1)
        expect(verifiedId(box, "report", altered), altered).toBeNull()
      }
    }
  })
  it("is refused with another length, and as any other text", () => {
    for (const text of ["", given.slice(1), `${given}0`, ` ${given}`, messageId, "v".repeat(42), "ä".repeat(42)]) {
      expect(verifiedId(box, "report", text), text).toBeNull()
    }
    FastCheck.assert(FastCheck.property(FastCheck.string(), (text) => verifiedId(box, "report", text) === null))
  })
  it("is good for its purpose and its message only", () => {
    expect(verifiedId(box, "unsubscribe", given)).toBeNull()
    const other = signedId(box, "report", "01900000-0000-7000-8000-0000000000ab")
    expect(verifiedId(box, "report", other.slice(0, 26) + given.slice(26))).toBeNull()
  })
  it("stays good while its key is a previous one", () => {
    expect(verifiedId(AesSecretBox.make(key(2), [key(1)]), "report", given)).toBe(messageId)
    expect(verifiedId(AesSecretBox.make(key(2)), "report", given)).toBeNull()
  })
})
