import type { SendOutcome } from "@parley/core"

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>
type Throttled = Extract<SendOutcome, { readonly _tag: "Throttled" }>

/** The vendor will never accept the message. */
export interface Rejection extends Pick<Rejected, "scope" | "code" | "optOut"> {
  readonly kind: "rejected"
  /** The text for applications and operators; it contains no text of the vendor. */
  readonly message: string
}

/** The meaning of a vendor's error for a message. */
export type Meaning =
  | Rejection
  | { readonly kind: "throttled"; readonly scope?: NonNullable<Throttled["scope"]> }
  /** The customer's handle has changed. */
  | { readonly kind: "moved"; readonly handle: string }
  /** The same call may succeed later. */
  | { readonly kind: "transient" }

/** A rejection, with the code `provider_error` by default. */
export const rejection = (
  scope: Rejected["scope"],
  message: string,
  more: Partial<Pick<Rejected, "code" | "optOut">> = {}
): Rejection => ({ kind: "rejected", scope, code: "provider_error", message, ...more })
