import type { DocumentedError, ExpectedOutcome, FakeMessenger } from "@parley/testkit"

type Code = readonly [code: number, what: string, more?: { readonly status?: number; readonly subcode?: number }]

const rejected = (
  scope: "connection" | "message" | "recipient",
  ...codes: ReadonlyArray<Code>
): ReadonlyArray<DocumentedError<FakeMessenger>> => allWith({ _tag: "Rejected", scope, code: "provider_error" }, codes)

const allWith = (outcome: ExpectedOutcome, codes: ReadonlyArray<Code>): ReadonlyArray<DocumentedError<FakeMessenger>> =>
  codes.map(([code, what, more]) => {
    const name = more?.subcode === undefined ? String(code) : `${code}/${more.subcode}`
    return {
      name: `${name} ${what}`,
      arrange: (vendor) => vendor.refuseNext({ code, message: `(#${code}) ${what}`, ...more }),
      outcome: outcome._tag === "Rejected" ? { ...outcome, providerCode: name } : outcome
    }
  })

/** Every error of the reference (docs/reference/messenger.md#error-codes) and of Meta's list, with its HTTP status. */
export const documentedErrors: ReadonlyArray<DocumentedError<FakeMessenger>> = [
  ...rejected(
    "connection",
    [3, "capability or permissions issue"],
    [10, "permission denied", { status: 403 }],
    [100, "no such object", { subcode: 33 }],
    [190, "access token expired", { status: 401 }],
    [190, "session expired", { status: 401, subcode: 463 }],
    [200, "permission error", { status: 403 }],
    [230, "permissions disallow", { status: 403 }],
    [299, "permission error", { status: 403 }],
    [368, "temporarily blocked for policy violations", { status: 403 }],
    [102, "session key invalid, in no list", { status: 401 }]
  ),
  ...rejected(
    "recipient",
    [10, "person is not receiving messages", { subcode: 2018108, status: 403 }],
    [100, "no matching user found", { subcode: 2018001 }],
    [100, "thread archived or deleted", { subcode: 2534001 }],
    [100, "requested user cannot be found", { subcode: 2534014 }],
    [200, "person is not available", { subcode: 1545041, status: 403 }],
    [200, "no role in the app", { subcode: 2018028, status: 403 }],
    [551, "person is not available"],
    [551, "person is not available", { subcode: 1545041 }]
  ),
  ...allWith({ _tag: "Rejected", scope: "message", code: "outside_service_window" }, [
    [10, "outside of allowed window", { subcode: 2018065, status: 403 }],
    [10, "outside of allowed window", { subcode: 2018278, status: 403 }],
    [10, "outside of allowed window", { subcode: 2534022, status: 403 }],
    [1545041, "messaging window closed"]
  ]),
  ...rejected(
    "message",
    [10, "a subcode that is in no list", { subcode: 987653, status: 403 }],
    [200, "a permission of one customer", { subcode: 987653, status: 403 }],
    [299, "a permission of one customer", { subcode: 987653, status: 403 }],
    [100, "invalid parameter"],
    [100, "attachment size exceeds allowable limit", { subcode: 2018109 }],
    [987654, "a code that is in no list"]
  ),
  ...allWith({ _tag: "Throttled" }, [
    [4, "application request limit reached"],
    [17, "user request limit reached"],
    [32, "page request limit reached"],
    [613, "calls have exceeded the rate limit"],
    [613, "calls have exceeded the rate limit", { subcode: 1996 }],
    [80001, "too many calls to this Page"],
    [80002, "too many calls to this Instagram account"],
    [80006, "too many calls to Messenger"],
    [987655, "a throttle that is in no list", { status: 429 }]
  ]),
  ...allWith({ _tag: "Transient" }, [
    [1, "unknown error"],
    [2, "service temporarily unavailable"],
    [1200, "temporary send message failure"]
  ]),
  ...allWith({ _tag: "Unknown" }, [
    [2, "service unavailable, after it had the message", { status: 503 }],
    [1200, "temporary failure, after it had the message", { status: 500 }],
    [987656, "a breakdown that is in no list", { status: 500 }]
  ])
]
