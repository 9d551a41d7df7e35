import { createHmac } from "node:crypto"
import { anEvent } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { signature } from "../../../src/flows/webhooks/signature.js"
import { webhookBody, webhookRequest } from "../../../src/flows/webhooks/webhookRequest.js"

const event = anEvent({
  id: "01900000-0000-7000-8000-0000000000a1",
  type: "message.sent",
  createdAt: Date.parse("2026-05-04T08:30:00.123Z"),
  hasExternalReference: true,
  externalReference: null,
  data: '{"message":{"body":"\\u00e9 ✓"}}'
})
const now = Date.parse("2026-05-04T08:31:00.999Z")
const request = webhookRequest(
  event,
  { id: "attempt", number: 2 },
  { url: "https://example.org/", secret: "whsec_abc" },
  "parley",
  now
)

describe("a webhook", () => {
  it("contains id, type, time, external reference and the stored data", () => {
    expect(JSON.parse(request.body)).toEqual({
      id: event.id,
      type: "message.sent",
      created_at: "2026-05-04T08:30:00.123Z",
      external_reference: null,
      data: { message: { body: "é ✓" } }
    })
    expect(request.body).toContain(event.data)
  })
  it("has no external reference if the event has none", () => {
    expect(JSON.parse(webhookBody({ ...event, hasExternalReference: false }))).not.toHaveProperty("external_reference")
  })
  it("has all documented headers", () => {
    expect(request.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "Parley-Webhooks/1.0",
      "x-webhook-id": event.id,
      "x-webhook-timestamp": String(Math.floor(now / 1000)),
      "x-webhook-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      "x-event-id": event.id,
      "x-event-type": "message.sent",
      "x-event-timestamp": String(Math.floor(now / 1000)),
      "x-delivery-id": "attempt",
      "x-delivery-attempt": "2"
    })
  })
  it("is signed over timestamp, dot and body bytes with the whole secret", () => {
    const bytes = Buffer.concat([Buffer.from(`${Math.floor(now / 1000)}.`), Buffer.from(request.body, "utf8")])
    const expected = createHmac("sha256", Buffer.from("whsec_abc")).update(bytes).digest("hex")
    expect(request.headers["x-webhook-signature"]).toBe(`sha256=${expected}`)
    expect(signature("whsec_abc", 1, "x")).not.toBe(signature("whsec_abd", 1, "x"))
  })
})
