/**
 * Why a request is rejected as a webhook:
 * - `missing_header`: signature or timestamp is absent
 * - `malformed_header`: the timestamp is not a unix time or has two values, or the signature has an unknown format
 * - `timestamp_out_of_tolerance`: signed too long ago or in the future: a replayed request or a wrong clock
 * - `signature_mismatch`: another secret, or a body that differs from the received bytes
 * - `malformed_body`: valid signature, but not an event
 */
export type WebhookVerificationReason =
  | "missing_header"
  | "malformed_header"
  | "timestamp_out_of_tolerance"
  | "signature_mismatch"
  | "malformed_body"

/** Respond with 400 and ignore the request. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}
