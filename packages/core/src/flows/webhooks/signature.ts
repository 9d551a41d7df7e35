import { createHmac } from "node:crypto"

/**
 * `X-Webhook-Signature`: `sha256=` and the lower-case hex HMAC-SHA256 of the timestamp, a dot and the raw body, under
 * the whole secret as shown, `whsec_` included (docs/reference/webhooks.md#signature). `timestamp` in unix seconds.
 */
export const signature = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`
