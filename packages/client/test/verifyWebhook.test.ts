import { type Event, type EventType, signature } from "@parley/core"
import * as fc from "effect/FastCheck"
import { expect, expectTypeOf, it } from "vitest"
import { webhookRequest } from "../../core/src/flows/webhooks/webhookRequest.js"
import { verifyWebhook, type WebhookEventType, type WebhookHeaders } from "../src/index.js"
import { failure } from "./scripted.js"

const secret = "whsec_0123456789abcdefghijklmnopqrstuv"
const now = 1_780_000_000_400

/** A webhook as the engine sends it. */
const sent = (data: unknown = { test: { message: "Grüße 🦜", endpoint_id: "e" } }) => {
  const event: Event = {
    id: "01900000-0000-7000-8000-000000000001",
    workspaceId: "w",
    type: "webhook.test",
    applicationId: "a",
    connectionId: null,
    subjectId: "e",
    hasExternalReference: false,
    externalReference: null,
    data: JSON.stringify(data),
    raw: null,
    createdAt: now
  }
  const { headers, body } = webhookRequest(
    event,
    { id: "attempt", number: 1 },
    { url: "https://shop.test/hook", secret },
    "parley",
    now
  )
  return { headers, body, bytes: new TextEncoder().encode(body) }
}
const verify = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  options: { readonly toleranceSeconds?: number; readonly now?: number; readonly secret?: string } = {}
) => verifyWebhook(rawBody, headers, options.secret ?? secret, { now, ...options })
const reasonOf = async (call: Promise<unknown>) => (await failure(call)).reason

it("accepts what the engine signed, as text, bytes or Buffer", async () => {
  const { headers, body, bytes } = sent()
  const event = await verify(body, headers)
  expect(event).toEqual(JSON.parse(body))
  expect(await verify(bytes, headers)).toEqual(event)
  expect(await verify(Buffer.from(`x${body}`).subarray(1), headers)).toEqual(event)
})

it("finds the headers in every form that frameworks pass", async () => {
  const { headers, body } = sent()
  const entries = Object.entries(headers)
  for (const given of [
    new Headers(headers),
    Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])),
    Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    Object.fromEntries(entries.map(([name, value]) => [name, [value, value]])),
    { ...headers, "x-webhook-signature": `sha256=${"0".repeat(64)}, ${headers["x-webhook-signature"]}` },
    { ...headers, "x-webhook-signature": ["v0=abc", headers["x-webhook-signature"] ?? ""] },
    { ...headers, "content-type": undefined }
  ]) {
    expect((await verify(body, given)).type).toBe("webhook.test")
  }
})

it("rejects a body, timestamp or signature with one bit flipped", async () => {
  const { headers, bytes } = sent()
  const flipped = (given: Uint8Array, at: number, bit: number) =>
    given.map((byte, index) => (index === at % given.length ? byte ^ (1 << bit) : byte))
  const place = fc.tuple(fc.nat(10_000), fc.nat(7))
  await fc.assert(
    fc.asyncProperty(place, async ([at, bit]) => {
      expect(await reasonOf(verify(flipped(bytes, at, bit), headers))).toBe("signature_mismatch")
    })
  )
  const text = (name: string, at: number, bit: number) =>
    Buffer.from(flipped(Buffer.from(headers[name] ?? ""), at, bit)).toString("latin1")
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("x-webhook-timestamp", "x-webhook-signature"), place, async (name, [at, bit]) => {
      // The reason depends on the flipped bit. No tolerance accepts a timestamp that was not signed.
      const call = verify(bytes, { ...headers, [name]: text(name, at, bit) }, { toleranceSeconds: Number.MAX_VALUE })
      expect(["malformed_header", "signature_mismatch"]).toContain(await reasonOf(call))
    })
  )
})

it("rejects any other secret", async () => {
  const { headers, bytes } = sent()
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (other) => {
      fc.pre(other !== secret)
      expect(await reasonOf(verify(bytes, headers, { secret: other }))).toBe("signature_mismatch")
    }),
    { examples: [[secret.slice("whsec_".length)], [secret.toUpperCase()], [`${secret} `]] }
  )
})

it("accepts exactly the bytes that were signed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.json(), async (one, other) => {
      const { headers, bytes } = sent({ one })
      expect((await verify(bytes, headers)).data).toEqual({ one })
      fc.pre(one !== other)
      expect(await reasonOf(verify(sent({ one: other }).bytes, headers))).toBe("signature_mismatch")
    })
  )
})

it("rejects a body that was parsed and serialised again", async () => {
  const { headers, body } = sent()
  expect(await reasonOf(verify(JSON.stringify(JSON.parse(body), null, 2), headers))).toBe("signature_mismatch")
  expect(await failure(verify(JSON.parse(body), headers))).toBeInstanceOf(TypeError)
})

it("accepts timestamps up to five minutes from now", async () => {
  const { headers, body } = sent()
  const signedAt = Math.floor(now / 1_000) * 1_000
  for (const away of [-300_000, 300_000]) {
    expect((await verify(body, headers, { now: signedAt + away })).id).toBeDefined()
    const further = signedAt + away + Math.sign(away)
    expect(await reasonOf(verify(body, headers, { now: further }))).toBe("timestamp_out_of_tolerance")
  }
  expect(await reasonOf(verify(body, headers, { now: signedAt + 11_000, toleranceSeconds: 10 }))).toBe(
    "timestamp_out_of_tolerance"
  )
  expect(await reasonOf(verify(body, headers, { toleranceSeconds: Number.NaN }))).toBe("timestamp_out_of_tolerance")
})

it("uses the system clock by default", async () => {
  const { headers, body } = sent()
  expect(await reasonOf(verifyWebhook(body, headers, secret))).toBe("timestamp_out_of_tolerance")
})

it("reports missing and malformed headers", async () => {
  const { headers, body } = sent()
  const { "x-webhook-timestamp": timestamp, "x-webhook-signature": signed, ...rest } = headers
  const given = (values: object) => reasonOf(verify(body, { ...rest, ...values }))
  expect(await given({ "x-webhook-timestamp": timestamp })).toBe("missing_header")
  expect(await given({ "x-webhook-signature": signed })).toBe("missing_header")
  expect(await given({ "x-webhook-timestamp": timestamp, "x-webhook-signature": "" })).toBe("missing_header")
  for (const malformed of ["soon", "1e9", "-1", "1780000000.0", "0x6A1", ["1780000000", "1780000001"]]) {
    expect(await given({ "x-webhook-timestamp": malformed, "x-webhook-signature": signed })).toBe("malformed_header")
  }
  const hex = signed?.slice("sha256=".length) ?? ""
  for (const malformed of [
    hex,
    `sha1=${hex}`,
    `sha256=${hex.slice(2)}`,
    `sha256=${hex}00`,
    `sha256=${hex.toUpperCase()}`
  ]) {
    expect(await given({ "x-webhook-timestamp": timestamp, "x-webhook-signature": malformed })).toBe("malformed_header")
  }
})

it("requires a secret", async () => {
  const { headers, body } = sent()
  for (const none of ["", undefined as unknown as string]) {
    expect(await failure(verifyWebhook(body, headers, none))).toBeInstanceOf(TypeError)
  }
})

it("distinguishes an authentic body that is not an event from a forged one", async () => {
  const timestamp = Math.floor(now / 1_000)
  for (const body of ["", "[]", "{}", '{"id":"1","type":"webhook.test"}']) {
    const headers = {
      "x-webhook-timestamp": String(timestamp),
      "x-webhook-signature": signature(secret, timestamp, body)
    }
    expect(await reasonOf(verify(body, headers))).toBe("malformed_body")
  }
})

it("has a type for every event of the engine", () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<EventType>()
})
