import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { challengeAnswer, graphRetryAfter, isSigned, parseEntries, unknownEntry } from "../src/index.js"

const aRequest = (request: Partial<ProviderRequest>): ProviderRequest => ({
  method: "POST",
  path: "",
  query: {},
  headers: {},
  body: new Uint8Array(),
  address: "203.0.113.7",
  ...request
})
const body = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))

describe("a webhook of Meta's", () => {
  it("is signed with the app secret over the raw bytes", () => {
    const signature = createHmac("sha256", "app").update("{}").digest("hex")
    const signed = aRequest({ body: body("{}"), headers: { "x-hub-signature-256": `sha256=${signature}` } })
    expect(isSigned("app", signed)).toBe(true)
    expect(isSigned("other", signed)).toBe(false)
    expect(isSigned("app", { ...signed, body: body("{ }") })).toBe(false)
    expect(isSigned("app", { ...signed, headers: {} })).toBe(false)
  })

  it("answers a challenge of the verify token, and nothing that a browser could take for a page", () => {
    const challenge = (challenge: string, verifyToken = "verify", mode = "subscribe") =>
      challengeAnswer(
        "verify",
        aRequest({ query: { "hub.mode": mode, "hub.verify_token": verifyToken, "hub.challenge": challenge } })
      )
    expect(challenge("1158201444")).toBe("1158201444")
    expect(challenge("1158201444", "other")).toBeNull()
    expect(challenge("1158201444", "verify", "unsubscribe")).toBeNull()
    expect(challenge("<script>")).toBeNull()
  })

  it("gives the events of all entries, each account's together and in their order", () => {
    const entries = [
      { account: "1", event: "a" },
      { account: "2", event: "b" },
      { account: "1", event: "c" }
    ]
    const events = Effect.runSync(
      parseEntries(aRequest({ body: body({ object: "page", entry: entries }) }), (object, entry) => {
        const { account, event } = entry as (typeof entries)[number]
        return [{ ...unknownEntry(object, event), account }]
      })
    )
    expect(events.map(({ account, events }) => [account, events.map((event) => "raw" in event && event.raw)])).toEqual([
      ["1", ['"a"', '"c"']],
      ["2", ['"b"']]
    ])
  })

  it("cannot be read without an object and a list of entries", () => {
    for (const value of ["", "{", "null", { object: "page" }, { entry: [] }]) {
      const failure = Effect.runSync(Effect.flip(parseEntries(aRequest({ body: body(value) }), () => [])))
      expect(failure._tag).toBe("WebhookUnreadable")
    }
  })
})

describe("how long Meta says to wait", () => {
  it("is that of Retry-After, else that of the use of its limits, in minutes", () => {
    const usage = JSON.stringify({ "123": [{ estimated_time_to_regain_access: 2 }, {}] })
    expect(graphRetryAfter({ "retry-after": "9", "x-business-use-case-usage": usage })).toBe(9_000)
    expect(graphRetryAfter({ "x-business-use-case-usage": usage })).toBe(120_000)
    expect(graphRetryAfter({ "x-business-use-case-usage": "{" })).toBeNull()
    expect(graphRetryAfter({})).toBeNull()
  })
})
