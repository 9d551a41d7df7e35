import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { answerText } from "../src/answerText.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe("answerText", () => {
  it("returns a short body unchanged", () => {
    expect(answerText(bytesOf(""))).toBe("")
    expect(answerText(bytesOf('{"ok":"größer 🎉"}'))).toBe('{"ok":"größer 🎉"}')
  })

  it("cuts at 4 KiB", () => {
    expect(answerText(bytesOf("a".repeat(4_096)))).toHaveLength(4_096)
    expect(answerText(bytesOf("a".repeat(5_000)))).toHaveLength(4_096)
  })

  it("omits a character that the cut would split", () => {
    expect(answerText(bytesOf(`${"a".repeat(4_095)}é…`))).toBe("a".repeat(4_095))
    expect(answerText(bytesOf(`${"a".repeat(4_093)}🎉`))).toBe("a".repeat(4_093))
    expect(answerText(bytesOf(`${"a".repeat(4_092)}🎉`))).toBe(`${"a".repeat(4_092)}🎉`)
  })

  it("replaces what cannot be stored as text", () => {
    expect(answerText(Uint8Array.of(0x61, 0x00, 0xff, 0x62, 0xc3))).toBe("a\uFFFD\uFFFDb\uFFFD")
  })

  it("is never longer than 4 KiB, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 10_000, size: "max" }), (bytes) => {
        const text = answerText(bytes)
        expect(bytesOf(text).length).toBeLessThanOrEqual(4_096)
        expect(text).not.toContain("\u0000")
      })
    )
  })
})
