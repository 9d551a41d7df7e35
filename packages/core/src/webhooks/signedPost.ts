import type { Instant } from "../Instant.js"
import type { OutboundRequest } from "../ports/HttpSender.js"
import { signature } from "./signature.js"

/** All that an attempt answers in must take, in ms (spec, Limits). */
export const timeoutMs = 10_000

/** A POST of JSON as it is to go out. */
export interface Posted {
  /** `X-Webhook-ID`: the same on every attempt. */
  readonly id: string
  readonly url: string
  readonly body: string
  /** Opened. */
  readonly secret: string
  /** Which attempt it is, 1-based. */
  readonly number: number
}

/** A signed POST (spec, Delivery, Signature): one attempt, signed anew each time. */
export const signedPost = (
  { body, id, number, secret, url }: Posted,
  serviceName: string,
  now: Instant
): OutboundRequest => {
  const timestamp = Math.floor(now / 1000)
  const name = `${serviceName[0]?.toUpperCase()}${serviceName.slice(1)}`
  return {
    url,
    body,
    timeoutMs,
    headers: {
      "content-type": "application/json",
      "user-agent": `${name}-Webhooks/1.0`,
      "x-webhook-id": id,
      "x-webhook-timestamp": String(timestamp),
      "x-webhook-signature": signature(secret, timestamp, body),
      "x-delivery-attempt": String(number)
    }
  }
}
