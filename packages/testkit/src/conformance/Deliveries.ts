import { createHmac, timingSafeEqual } from "node:crypto"
import { expect } from "vitest"
import type { Arrival } from "./Receiver.js"
import { uuidPattern } from "./Resources.js"

/** The signature of a delivery (docs/reference/webhooks.md#signature): the key is the whole secret. */
export const signatureOf = (secret: string, { headers, raw }: Arrival): string =>
  `sha256=${createHmac("sha256", secret).update(`${headers["x-webhook-timestamp"]}.`).update(raw).digest("hex")}`

/** Whether a delivery is signed with this secret. */
export const isSignedWith = (secret: string, arrival: Arrival): boolean => {
  const [given, expected] = [String(arrival.headers["x-webhook-signature"]), signatureOf(secret, arrival)]
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

/**
 * Checks the rules of every delivery (docs/reference/webhooks.md#delivery-headers,
 * docs/reference/webhooks.md#signature).
 */
export const expectDelivery = (arrival: Arrival, secret: string): void => {
  const { body, headers, method, at } = arrival
  expect(method).toBe("POST")
  expect(headers["content-type"]).toMatch(/^application\/json\b/)
  expect(headers["user-agent"]).toMatch(/^\S+-Webhooks\/1\.0$/)
  expect(headers["x-webhook-id"]).toBe(body.id)
  expect(headers["x-webhook-timestamp"]).toMatch(/^\d{10}$/)
  expect(headers["x-event-id"]).toBe(headers["x-webhook-id"])
  expect(headers["x-event-type"]).toBe(body.type)
  expect(headers["x-event-timestamp"]).toBe(headers["x-webhook-timestamp"])
  expect(headers["x-delivery-id"]).toMatch(uuidPattern)
  expect(headers["x-delivery-attempt"]).toMatch(/^[1-9]\d*$/)
  expect(headers["x-webhook-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/)
  expect(isSignedWith(secret, arrival)).toBe(true)
  // The tolerance of receivers.
  expect(Math.abs(at / 1_000 - Number(headers["x-webhook-timestamp"]))).toBeLessThan(300)
}
