import type { SendOutcome } from "@parley/core"

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>

/** The outcome of a Courier error for the message. */
export type Meaning = Pick<Rejected, "scope" | "code" | "optOut"> | "throttled" | "transient"

/** One line for each error code in Courier's documentation. */
export const meanings: { readonly [code: string]: Meaning | undefined } = {
  invalid_key: { scope: "connection", code: "provider_error" },
  no_credit: { scope: "connection", code: "provider_error" },
  unknown_recipient: { scope: "recipient", code: "provider_error" },
  opted_out: { scope: "recipient", code: "provider_error", optOut: "all" },
  window_closed: { scope: "message", code: "outside_service_window" },
  too_long: { scope: "message", code: "provider_error" },
  too_many: "throttled",
  maintenance: "transient"
}
