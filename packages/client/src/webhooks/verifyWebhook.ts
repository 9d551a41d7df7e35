import { isObject, parsed } from "../transport/parsed.js"
import { headerValues, type WebhookHeaders } from "./headerValues.js"
import type { WebhookEvent } from "./WebhookEvent.js"
import { WebhookVerificationError } from "./WebhookVerificationError.js"

export interface VerifyOptions {
  /**
   * Maximum difference between the timestamp and now, in seconds. Default: 300 (docs/reference/webhooks.md#signature).
   */
  readonly toleranceSeconds?: number | undefined
  /** Current time in unix ms, for tests. */
  readonly now?: number | undefined
}

/**
 * Verifies a webhook's signature in constant time and its timestamp, and returns the event. Fails with a
 * `WebhookVerificationError` and its `reason`.
 *
 * `rawBody` is the received body before any parsing; `secret` is the endpoint's secret, including `whsec_`.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(await request.arrayBuffer().then((body) => new Uint8Array(body)), request.headers,
 * secret) if (event.type === "message.received") console.log(event.data.message.body)
 * ```
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {}
): Promise<WebhookEvent> => {
  // Not `instanceof`: the bytes may come from another realm, for example in test runners.
  if (typeof rawBody !== "string" && !ArrayBuffer.isView(rawBody)) {
    throw new TypeError("rawBody must be the text or bytes of the received body, not a parsed body")
  }
  if (typeof secret !== "string" || secret === "") throw new TypeError("secret must be the endpoint's signing secret")
  const timestamp = timestampOf(headers)
  const signatures = signaturesOf(headers)
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "timestamp_out_of_tolerance",
      `The webhook was signed more than ${toleranceSeconds} seconds away from this clock.`
    )
  }
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody
  if (!(await isGenuine(signed(timestamp, body), signatures, secret))) {
    throw new WebhookVerificationError(
      "signature_mismatch",
      "The signature does not match. Check the endpoint's secret, and that the body is the received one, byte for byte."
    )
  }
  return eventOf(body)
}

const timestampOf = (headers: WebhookHeaders): string => {
  const [timestamp, ...others] = new Set(headerValues(headers, "x-webhook-timestamp"))
  if (timestamp === undefined) throw missing("X-Webhook-Timestamp")
  if (others.length > 0 || !/^\d{1,12}$/.test(timestamp)) throw malformed("X-Webhook-Timestamp")
  return timestamp
}

const signaturesOf = (headers: WebhookHeaders): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const values = headerValues(headers, "x-webhook-signature")
  if (values.length === 0) throw missing("X-Webhook-Signature")
  const wellFormed = values.filter((value) => /^sha256=[0-9a-f]{64}$/.test(value))
  if (wellFormed.length === 0) throw malformed("X-Webhook-Signature")
  return wellFormed.map((value) =>
    Uint8Array.from(value.slice(7).match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))
  )
}

/** Signed content: the timestamp as sent, a dot and the raw body. */
const signed = (timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = new TextEncoder().encode(`${timestamp}.`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

const isGenuine = async (
  data: Uint8Array<ArrayBuffer>,
  signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>,
  secret: string
): Promise<boolean> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"])
  const fits = await Promise.all(signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, data)))
  return fits.includes(true)
}

const eventOf = (body: Uint8Array): WebhookEvent => {
  const event = parsed(new TextDecoder().decode(body))
  if (isObject(event) && typeof event.id === "string" && typeof event.type === "string" && isObject(event.data)) {
    return event as unknown as WebhookEvent
  }
  throw new WebhookVerificationError("malformed_body", "The signature is valid, but the body is not an event.")
}

const missing = (header: string) =>
  new WebhookVerificationError("missing_header", `The request has no ${header} header.`)
const malformed = (header: string) =>
  new WebhookVerificationError("malformed_header", `The ${header} header does not have the format of webhooks.`)
