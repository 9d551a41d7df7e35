import { describe, expect, it } from "vitest"
import { storableOutcome } from "../../../src/flows/sends/storableOutcome.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"

const ours = "0190a1b2-0000-7000-8000-00000000000a"
const accepted = (providerMessageId: string) => SendOutcome.Accepted({ providerMessageId, receipts: [] })

describe("the outcome of a provider", () => {
  for (const outcome of [
    accepted("wamid.1"),
    accepted("x".repeat(512)),
    SendOutcome.Throttled({ retryAfterMs: null }),
    SendOutcome.Unknown({ reason: "no answer in time" })
  ]) {
    it(`is unchanged if it can be stored: ${outcome._tag}`, () => {
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
    it(`gets our own id instead of one that cannot be stored: ${what}`, () => {
      expect(storableOutcome(accepted(id), ours)).toEqual(accepted(ours))
    })
  }
  it("has unstorable characters removed and long texts truncated", () => {
    const message = { providerCode: "4\u00000".padEnd(200, "4"), providerMessage: "no\ud800".padEnd(2_000, "!") }
    const rejected = storableOutcome(
      SendOutcome.Rejected({ scope: "message", code: "provider_error", ...message }),
      ours
    )
    expect(rejected).toMatchObject({ providerCode: "40".padEnd(100, "4"), providerMessage: "no".padEnd(1_000, "!") })
    for (const outcome of [SendOutcome.Transient, SendOutcome.Unknown]) {
      const { reason } = storableOutcome(outcome({ reason: "no\ud800".padEnd(2_000, "!") }), ours) as { reason: string }
      expect(reason).toBe("no".padEnd(1_000, "!"))
    }
  })
  for (const [what, given, stored] of [
    ["an id that is no text", { providerMessageId: 7, receipts: [] }, accepted(ours)],
    ["no list of receipts", { providerMessageId: "p" }, accepted("p")],
    [
      "receipts that cannot be stored",
      {
        providerMessageId: "p",
        receipts: [null, { status: "undelivered", at: 1 }, { status: "read", at: NaN }],
        billing: "1 EUR"
      },
      accepted("p")
    ]
  ] as const) {
    it(`is accepted despite ${what}`, () => {
      expect(storableOutcome({ _tag: "Accepted", ...given } as unknown as SendOutcome, ours)).toEqual(stored)
    })
  }
  it("keeps a rejection whose fields have other types", () => {
    const given = { scope: "message", code: "30003", providerCode: 30003, providerMessage: undefined, optOut: true }
    expect(storableOutcome({ _tag: "Rejected", ...given } as unknown as SendOutcome, ours)).toEqual(
      SendOutcome.Rejected({
        scope: "message",
        code: "provider_error",
        providerCode: "30003",
        providerMessage: "unknown"
      })
    )
  })
  it("is throttled without a hint if the hint is no number", () => {
    for (const retryAfterMs of [NaN, Infinity, "7", undefined]) {
      const given = { _tag: "Throttled", retryAfterMs, scope: "recipient" } as unknown as SendOutcome
      expect(storableOutcome(given, ours)).toEqual(SendOutcome.Throttled({ retryAfterMs: null, scope: "recipient" }))
    }
  })
  it("asserts nothing if it is another value", () => {
    for (const given of [undefined, null, {}, { _tag: "Sent" }, { _tag: "Moved" }]) {
      expect(() => storableOutcome(given as unknown as SendOutcome, ours)).toThrow(/no SendOutcome/)
    }
  })
})
