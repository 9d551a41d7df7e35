import { randomBytes } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { SecretBox } from "@parley/core"
import { Effect, Either, FastCheck as fc } from "effect"
import * as AesSecretBox from "../src/AesSecretBox.js"
import * as SecretKey from "../src/SecretKey.js"

const newKey = () => Either.getOrThrow(SecretKey.parse(randomBytes(32).toString("base64"), "test"))

describe("AesSecretBox", () => {
  it("decrypts every text that it encrypted", () => {
    const box = AesSecretBox.make(newKey())
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (secret) => {
        expect(Effect.runSync(box.open(box.seal(secret)))).toBe(secret)
      })
    )
  })

  it("decrypts what another box with the same key encrypted", () => {
    const key = newKey()
    const sealed = AesSecretBox.make(key).seal("whsec_1")
    expect(Effect.runSync(AesSecretBox.make(key).open(sealed))).toBe("whsec_1")
  })

  it("encrypts the same secret differently each time, and reveals none of it", () => {
    const box = AesSecretBox.make(newKey())
    const [one, other] = [box.seal("whsec_1"), box.seal("whsec_1")]
    expect(one).not.toBe(other)
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/)
    expect(Buffer.from(one.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain("whsec_1")
  })

  it.effect("names the key that is needed", () =>
    Effect.gen(function* () {
      const other = AesSecretBox.make(newKey())
      const error = yield* Effect.flip(AesSecretBox.make(newKey(), [newKey()]).open(other.seal("secret")))
      expect(error).toMatchObject({
        _tag: "SecretUnreadable",
        reason: `was sealed with another key, ${other.keyIds[0]}: add that key to PARLEY_SECRET_KEY_PREVIOUS, or to previousSecretKeys of createParley`
      })
    })
  )

  it.effect("decrypts with previous keys, and encrypts with the current key only", () =>
    Effect.gen(function* () {
      const [present, last, first] = [newKey(), newKey(), newKey()]
      const box = AesSecretBox.make(present, [last, first])
      expect(yield* box.open(AesSecretBox.make(last).seal("last"))).toBe("last")
      expect(yield* box.open(AesSecretBox.make(first).seal("first"))).toBe("first")
      expect(yield* AesSecretBox.make(present).open(box.seal("new"))).toBe("new")
    })
  )

  it("allows hosts on one database to change the key one by one, in the documented order", () => {
    const [old, next] = [newKey(), newKey()]
    const opens = (one: SecretBox, other: SecretBox) => Effect.runSync(Effect.isSuccess(one.open(other.seal("secret"))))
    const readEachOther = (one: SecretBox, other: SecretBox) => opens(one, other) && opens(other, one)
    const before = AesSecretBox.make(old)
    const opening = AesSecretBox.make(old, [next])
    const sealing = AesSecretBox.make(next, [old])
    const after = AesSecretBox.make(next)
    // During a step, some hosts are still on the previous one.
    expect(readEachOther(before, opening)).toBe(true)
    expect(readEachOther(opening, sealing)).toBe(true)
    expect(readEachOther(sealing, after)).toBe(true)
    // Without the first step, hosts cannot read each other's secrets.
    expect(readEachOther(before, sealing)).toBe(false)
  })

  it("lists its keys once each, and names the key of a secret", () => {
    const [present, previous] = [newKey(), newKey()]
    const box = AesSecretBox.make(present, [previous, present, previous])
    const other = AesSecretBox.make(newKey())
    const idOf = (key: SecretKey.SecretKey) => AesSecretBox.make(key).keyIds[0]
    expect(box.keyIds).toEqual([idOf(present), idOf(previous)])
    expect(box.keyIdOf(box.seal("x"))).toBe(box.keyIds[0])
    expect(box.keyIdOf(other.seal("x"))).toBe(other.keyIds[0])
    for (const text of ["", "whsec_1", "v2.0.0"]) expect(box.keyIdOf(text)).toBe(null)
  })

  it("rejects a secret relabelled with another of its keys", () => {
    const [present, previous] = [newKey(), newKey()]
    const box = AesSecretBox.make(present, [previous])
    const [version, , text] = box.seal("secret").split(".")
    expect(Effect.runSync(Effect.flip(box.open(`${version}.${box.keyIds[1]}.${text}`))).reason).toBe("was altered")
  })

  it("detects every altered byte", () => {
    const box = AesSecretBox.make(newKey())
    const [version, id, text = ""] = box.seal("a secret").split(".")
    const bytes = Buffer.from(text, "base64url")
    for (let index = 0; index < bytes.length; index++) {
      const altered = Buffer.from(bytes)
      altered[index] = (altered[index] ?? 0) ^ 1
      const error = Effect.runSync(Effect.flip(box.open(`${version}.${id}.${altered.toString("base64url")}`)))
      expect(error.reason).toBe("was altered")
    }
  })

  it("detects truncated and malformed secrets", () => {
    const box = AesSecretBox.make(newKey())
    const sealed = box.seal("a secret")
    const header = sealed.slice(0, sealed.lastIndexOf("."))
    for (const text of [sealed.slice(0, -4), `${header}.`, `${header}.AAAA`]) {
      expect(Effect.runSync(Effect.flip(box.open(text))).reason).toBe("was altered")
    }
    for (const text of ["", "whsec_1", "v2.0.0", header, `${sealed}.x`]) {
      expect(Effect.runSync(Effect.flip(box.open(text))).reason).toBe("is not a sealed secret")
    }
  })

  it("verifies its signatures under any of its keys", () => {
    const [present, previous] = [newKey(), newKey()]
    const box = AesSecretBox.make(present, [previous])
    const signature = box.sign("a text")
    expect(signature).toMatch(/^[\w-]{43}$/)
    expect(box.verifies("a text", signature)).toBe(true)
    expect(box.verifies("a text", AesSecretBox.make(previous).sign("a text"))).toBe(true)
    expect(AesSecretBox.make(present).verifies("a text", signature)).toBe(true)
    expect(box.verifies("a text", AesSecretBox.make(newKey()).sign("a text"))).toBe(false)
    for (const altered of [`${signature}=`, signature.slice(1), `${signature.slice(0, -1)}é`, "", "=".repeat(43)]) {
      expect(box.verifies("a text", altered)).toBe(false)
    }
    expect(box.verifies("another text", signature)).toBe(false)
  })

  it.effect("is provided by its layer", () =>
    Effect.gen(function* () {
      const box = yield* SecretBox
      expect(yield* box.open(box.seal("x"))).toBe("x")
    }).pipe(Effect.provide(AesSecretBox.layer(newKey())))
  )
})
