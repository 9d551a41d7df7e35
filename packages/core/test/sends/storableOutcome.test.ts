import { describe, expect, it } from "vitest"
import { SendOutcome } from "../../src/ports/ChannelProvider.js"
import { storableOutcome } from "../../src/sends/storableOutcome.js"

const ours = "0190a1b2-0000-7000-8000-00000000000a"
const accepted = (providerMessageId: string) => SendOutcome.Accepted({ providerMessageId, receipts: [] })

describe("what a provider answers", () => {
  for (const outcome of [
    accepted("wamid.1"),
    accepted("x".repeat(512)),
    SendOutcome.Throttled({ retryAfterMs: null }),
    SendOutcome.Unknown({ reason: "\u0000" })
  ]) {
    it(`is left as it is where it can be stored: ${outcome._tag}`, () => {
      expect(storableOutcome(outcome, ours)).toEqual(outcome)
    })
  }
  for (const [what, id] of [
    ["empty", ""],
    ["blank", " "],
    ["too long", "x".repeat(513)],
    ["U+0000", "a\u0000b"],
    ["half a character", "a\ud800"]
  ] as const) {
    it(`has our own id for one that cannot be kept: ${what}`, () => {
      expect(storableOutcome(accepted(id), ours)).toEqual(accepted(ours))
    })
  }
  it("has its words without what cannot be stored, and not all of them", () => {
    const words = { providerCode: "4\u00000".padEnd(200, "4"), providerMessage: "no\ud800".padEnd(2_000, "!") }
    const rejected = storableOutcome(SendOutcome.Rejected({ scope: "message", code: "provider_error", ...words }), ours)
    expect(rejected).toMatchObject({ providerCode: "40".padEnd(100, "4"), providerMessage: "no".padEnd(1_000, "!") })
  })
})
