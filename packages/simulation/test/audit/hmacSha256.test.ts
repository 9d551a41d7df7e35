import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { hmacSha256 } from "../../src/audit/hmacSha256.js"

describe("hmacSha256", () => {
  test("agrees with node for each length of key and text around a block", () => {
    for (const keyLength of [0, 1, 38, 63, 64, 65, 200]) {
      const key = "k".repeat(keyLength)
      const sign = hmacSha256(key)
      for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
        const text = "é€x".repeat(length).slice(0, length)
        expect(sign(text)).toBe(createHmac("sha256", key).update(text).digest("hex"))
      }
    }
  })
})
