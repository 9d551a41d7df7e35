import type { DocumentedError, ExpectedOutcome, FakeWhatsApp } from "@parley/testkit"

type Code = readonly [code: number, what: string, more?: { readonly status?: number; readonly subcode?: number }]

const rejected = (
  scope: "connection" | "message" | "recipient" | "template",
  ...codes: ReadonlyArray<Code>
): ReadonlyArray<DocumentedError<FakeWhatsApp>> => allWith({ _tag: "Rejected", scope, code: "provider_error" }, codes)

const allWith = (outcome: ExpectedOutcome, codes: ReadonlyArray<Code>): ReadonlyArray<DocumentedError<FakeWhatsApp>> =>
  codes.map(([code, what, more]) => ({
    name: `${code} ${what}`,
    arrange: (vendor) => vendor.refuseNext({ code, details: what, ...more }),
    outcome: outcome._tag === "Rejected" ? { ...outcome, providerCode: String(code) } : outcome
  }))

/** Every error of the reference (docs/reference/whatsapp.md#error-codes) and of Meta's list, with its HTTP status. */
export const documentedErrors: ReadonlyArray<DocumentedError<FakeWhatsApp>> = [
  ...rejected(
    "connection",
    [0, "AuthException", { status: 401 }],
    [3, "capability or permissions issue"],
    [10, "permission denied", { status: 403 }],
    [33, "the number was deleted"],
    [100, "no such object", { subcode: 33 }],
    [190, "access token expired", { status: 401 }],
    [200, "permission error", { status: 403 }],
    [299, "permission error", { status: 403 }],
    [368, "temporarily blocked for policy violations", { status: 403 }],
    [131005, "access denied", { status: 403 }],
    [131031, "account locked", { status: 403 }],
    [131037, "display name not approved"],
    [131042, "payment issue"],
    [131045, "incorrect certificate", { status: 500 }],
    [133010, "number not registered"],
    [463, "session expired, in no list", { status: 401 }]
  ),
  ...rejected(
    "recipient",
    [130472, "part of an experiment"],
    [130497, "restricted country"],
    [131021, "sender is the recipient"],
    [131026, "undeliverable"],
    [131030, "not on the list of a test number"],
    [131049, "kept for a healthy ecosystem"]
  ),
  ...allWith({ _tag: "Rejected", scope: "recipient", code: "provider_error", optOut: "marketing" }, [
    [131050, "opted out of marketing"]
  ]),
  ...allWith({ _tag: "Rejected", scope: "message", code: "outside_service_window" }, [
    [131047, "re-engagement message"]
  ]),
  ...rejected(
    "message",
    [100, "invalid parameter"],
    [131008, "required parameter missing"],
    [131009, "parameter value not valid"],
    [131051, "unsupported message type"],
    [131052, "media download error"],
    [131053, "media upload error"],
    [132018, "parameters with line breaks"],
    [135000, "generic user error"],
    [987654, "a code that is in no list"]
  ),
  ...rejected(
    "template",
    [132000, "parameter count mismatch"],
    [132005, "hydrated text too long"],
    [132012, "parameter format mismatch"]
  ),
  ...allWith({ _tag: "Rejected", scope: "template", code: "template_not_approved" }, [
    [132001, "template does not exist", { status: 404 }],
    [132007, "character policy violated"],
    [132015, "template is paused"],
    [132016, "template is disabled"]
  ]),
  ...allWith({ _tag: "Throttled" }, [
    [4, "too many calls"],
    [80007, "rate limit of the account"],
    [130429, "rate limit of the number"],
    [131048, "spam rate limit"],
    [131057, "account in maintenance mode", { status: 500 }],
    [987655, "a throttle that is in no list", { status: 429 }]
  ]),
  ...allWith({ _tag: "Transient" }, [
    [1, "unknown API error"],
    [2, "service unavailable"],
    [131000, "something went wrong"],
    [131016, "service overloaded"]
  ]),
  ...allWith({ _tag: "Unknown" }, [
    [2, "service unavailable, after it had the message", { status: 503 }],
    [131000, "something went wrong, after it had the message", { status: 500 }],
    [131016, "service overloaded, after it had the message", { status: 503 }],
    [987656, "a breakdown that is in no list", { status: 500 }]
  ])
]
