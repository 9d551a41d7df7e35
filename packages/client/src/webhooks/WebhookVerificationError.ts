/**
 * Why a request is not taken for a webhook of the service:
 * - `missing_header`: no signature or no timestamp
 * - `malformed_header`: a timestamp that is no unix time, or two different ones, or a signature in no known form
 * - `timestamp_out_of_tolerance`: signed too long ago, or in the future: a repeated request, or a clock that is wrong
 * - `signature_mismatch`: another secret, or a body that is not the one received, byte for byte
 * - `malformed_body`: rightly signed, but no event
 */
export type WebhookVerificationReason =
  | "missing_header"
  | "malformed_header"
  | "timestamp_out_of_tolerance"
  | "signature_mismatch"
  | "malformed_body"

/** Answer such a request with 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}
