/** An error in a vendor's answer. */
export interface VendorError {
  /** The code in the vendor's documentation, such as `131026` or `10/2018278`. */
  readonly providerCode: string
  /** The vendor's text, which may repeat what was sent: see `withoutSecrets.ts`. */
  readonly message: string
  /** How long the vendor's body asks to wait, in ms; otherwise the answer's headers apply. */
  readonly retryAfterMs?: number | null
}

/** The vendor, or a proxy, answered with an error. */
export interface Refused<E> {
  readonly _tag: "Refused"
  readonly status: number
  /** Null if the answer is not one of the vendor's, such as a proxy's. */
  readonly error: E | null
  /** How long to wait, in ms; null if the answer does not say. */
  readonly retryAfterMs: number | null
  readonly reason: string
}

/** Why a call failed. `reason` is safe to log: it contains nothing of the request and no text of the vendor. */
export type VendorFailure<E> =
  /** The request certainly did not reach the vendor. */
  | { readonly _tag: "Unreachable"; readonly reason: string }
  /** The request was sent and got no readable answer: the vendor may have carried it out. */
  | { readonly _tag: "Unanswered"; readonly reason: string }
  | Refused<E>
