import type { Instant } from "../../model/Instant.js"
import type { OutboundRequest } from "../../ports/HttpSender.js"
import { signature } from "./signature.js"

/** Timeout of a whole attempt, in ms (docs/reference/webhooks.md#time-and-size-limits). */
const timeoutMs = 10_000

/** A JSON request before it is signed. */
export interface SignedRequest {
  /** `X-Webhook-ID`: the same on every attempt. */
  readonly id: string
  readonly url: string
  readonly body: string
  /** In clear text. */
  readonly secret: string
  /** Attempt number, 1-based. */
  readonly number: number
}

/** Signs one attempt with the current time (docs/reference/webhooks.md#delivery-headers). */
export const signedPost = (
  { body, id, number, secret, url }: SignedRequest,
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
