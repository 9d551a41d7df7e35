import type { DocumentedError, FakeTwilio } from "@parley/testkit"

type Outcome = DocumentedError<FakeTwilio>["outcome"]

const rejected = (scope: "message" | "recipient" | "connection", optOut?: "all"): Outcome => ({
  _tag: "Rejected",
  scope,
  code: "provider_error",
  ...(optOut === undefined ? {} : { optOut })
})

const error = (code: number, what: string, outcome: Outcome, status = 400): DocumentedError<FakeTwilio> => ({
  name: `${code} ${what}`,
  arrange: (vendor) => vendor.refuseNext({ code, status }),
  outcome: outcome._tag === "Rejected" ? { ...outcome, providerCode: String(code) } : outcome
})

/** Twilio's errors and their outcomes (docs/reference/sms.md#error-codes). */
export const documentedErrors: ReadonlyArray<DocumentedError<FakeTwilio>> = [
  error(20003, "authentication failed", rejected("connection"), 401),
  error(10001, "account not active", rejected("connection")),
  error(21211, "invalid To", rejected("recipient")),
  error(21408, "country not permitted", rejected("recipient")),
  error(21606, "From not of the account", rejected("connection")),
  error(21608, "unverified number of a trial account", rejected("recipient")),
  error(21609, "invalid StatusCallback", rejected("connection")),
  error(21610, "unsubscribed recipient", rejected("recipient", "all")),
  error(21614, "no mobile number", rejected("recipient")),
  error(21617, "text too long", rejected("message")),
  error(21620, "invalid media URL", rejected("message")),
  error(21701, "unknown Messaging Service", rejected("connection")),
  error(30034, "unregistered number", rejected("connection")),
  error(99999, "an undocumented refusal", rejected("message")),
  error(20500, "an internal error", { _tag: "Unknown" }, 500)
]
