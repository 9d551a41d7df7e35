import { expect, it } from "@effect/vitest"
import { invalid, refuse } from "@parley/core"
import { Effect } from "effect"
import { caller, contactId, type Fakes, token } from "./fakes.js"
import { type RequestOptions, serve } from "./serve.js"

/**
 * Each pair of adjacent checks (docs/reference/requests.md#order-of-checks): a request that fails both gets the
 * response of the earlier one.
 */
const pairs: ReadonlyArray<{
  readonly name: string
  readonly given?: Partial<Fakes>
  readonly request: readonly [string, string, RequestOptions?]
  readonly status: number
  readonly code: string
  readonly message?: RegExp
  readonly details?: object
}> = [
  {
    name: "an unknown path before a missing credential",
    request: ["GET", "/api/v1/nothing", { token: null }],
    status: 404,
    code: "not_found"
  },
  {
    name: "a wrong method before a missing credential",
    request: ["PUT", "/api/v1/contacts", { token: null }],
    status: 405,
    code: "method_not_allowed"
  },
  {
    name: "a wrong credential before an empty requests bucket",
    given: { callers: { [token]: caller({ requestsPerMinute: 0 }) } },
    request: ["GET", `/api/v1/contacts/${contactId}`, { token: "wrong" }],
    status: 401,
    code: "unauthenticated"
  },
  {
    name: "a suspended application before an unavailable scope",
    given: { callers: { [token]: refuse("account_suspended") } },
    request: ["GET", `/api/v1/contacts/${contactId}`],
    status: 403,
    code: "account_suspended"
  },
  {
    name: "an unavailable workspace before an unreadable body",
    given: { callers: { [token]: refuse("workspace_unavailable") } },
    request: ["POST", "/api/v1/contacts", { body: "{" }],
    status: 423,
    code: "workspace_unavailable"
  },
  {
    name: "an empty requests bucket before a missing scope",
    given: { callers: { [token]: caller({ requestsPerMinute: 0, scopes: [] }) } },
    request: ["GET", `/api/v1/contacts/${contactId}`],
    status: 429,
    code: "rate_limited"
  },
  {
    name: "a missing scope before a malformed id",
    given: { callers: { [token]: caller({ scopes: ["contacts.write"] }) } },
    request: ["GET", "/api/v1/contacts/1"],
    status: 403,
    code: "forbidden",
    details: { required_scope: "contacts.read" }
  },
  {
    name: "a missing scope before a too large body",
    given: { callers: { [token]: caller({ scopes: ["contacts.read"] }) } },
    request: ["POST", "/api/v1/contacts", { body: "x".repeat(2_000_000) }],
    status: 403,
    code: "forbidden",
    details: { required_scope: "contacts.write" }
  },
  {
    name: "missing scopes of a send before a too large body",
    given: { callers: { [token]: caller({ scopes: ["messages.read"] }) } },
    request: ["POST", "/api/v1/messages", { body: "x".repeat(2_000_000) }],
    status: 403,
    code: "forbidden",
    details: { required_scope: "messages.send" }
  },
  {
    name: "a too large body before its content type",
    request: ["POST", "/api/v1/contacts", { body: "x".repeat(2_000_000), headers: { "content-type": "text/plain" } }],
    status: 413,
    code: "payload_too_large"
  },
  {
    name: "the content type before malformed JSON",
    request: ["POST", "/api/v1/contacts", { body: "{", headers: { "content-type": "text/plain" } }],
    status: 400,
    code: "bad_request",
    message: /Content-Type/
  },
  {
    name: "malformed JSON before a missing Idempotency-Key",
    request: ["POST", "/api/v1/contacts", { body: "{" }],
    status: 400,
    code: "bad_request",
    message: /JSON/,
    details: {}
  },
  {
    name: "a missing Idempotency-Key before invalid fields",
    request: ["POST", "/api/v1/contacts", { json: { first_name: 1 } }],
    status: 400,
    code: "bad_request",
    details: { "Idempotency-Key": ["is required"] }
  },
  {
    name: "an idempotency conflict before invalid fields",
    given: { createContact: () => Effect.fail(refuse("idempotency_conflict")) },
    request: ["POST", "/api/v1/contacts", { json: { first_name: 1 }, headers: { "idempotency-key": "k" } }],
    status: 409,
    code: "idempotency_conflict"
  },
  {
    name: "every invalid field at once",
    given: { sendMessage: (_caller, { decoded }) => Effect.fail(invalid(decoded.problems)) },
    request: [
      "POST",
      "/api/v1/messages",
      { json: { channel: 5, message: { body: 1 } }, headers: { "idempotency-key": "k" } }
    ],
    status: 422,
    code: "validation_failed",
    details: {
      channel: ["must be a string"],
      to: ["is required"],
      type: ["is required"],
      "message.body": ["must be a string"]
    }
  }
]

for (const { name, given, request, status, code, message, details } of pairs) {
  it.scopedLive(`reports ${name}`, () =>
    Effect.gen(function* () {
      const served = yield* serve(given)
      const answer = yield* served.request(...request)
      expect({ status: answer.status, code: answer.error?.code }).toEqual({ status, code })
      if (message !== undefined) expect(answer.error?.message).toMatch(message)
      if (details !== undefined) expect(answer.error?.details).toEqual(details)
    })
  )
}

it.scopedLive("charges the application's bucket for an unknown path", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    yield* served.request("GET", "/api/v1/nothing")
    yield* served.request("DELETE", "/api/v1/contacts")
    expect([...served.takenFrom]).toEqual([["requests:application", 2]])
  })
)

it.scopedLive("charges the address's bucket without a valid credential", () =>
  Effect.gen(function* () {
    const served = yield* serve({ callers: { suspended: refuse("account_suspended") } })
    yield* served.request("GET", "/api/v1/nothing", { token: null })
    yield* served.request("GET", `/api/v1/contacts/${contactId}`, { token: "wrong" })
    yield* served.request("GET", `/api/v1/contacts/${contactId}`, { token: "suspended" })
    expect([...served.takenFrom]).toEqual([["address:127.0.0.1", 3]])
  })
)

it.scopedLive("limits guesses of credentials", () =>
  Effect.gen(function* () {
    const served = yield* serve({ anonymousLimit: 1 })
    const first = yield* served.request("GET", `/api/v1/contacts/${contactId}`, { token: "guess" })
    const second = yield* served.request("GET", `/api/v1/contacts/${contactId}`, { token: "guess again" })
    expect([first.status, second.status]).toEqual([401, 429])
  })
)

it.scopedLive("limits requests to unknown paths too", () =>
  Effect.gen(function* () {
    const served = yield* serve({ callers: { [token]: caller({ requestsPerMinute: 1 }) } })
    const first = yield* served.request("GET", "/api/v1/nothing")
    const second = yield* served.request("PUT", "/api/v1/contacts")
    expect([first.status, second.status, second.headers.allow]).toEqual([404, 429, undefined])
  })
)

it.scopedLive("takes one token for a valid request", () =>
  Effect.gen(function* () {
    const answer = { status: 201, body: `{"data":{}}`, replayed: false }
    const served = yield* serve({ createContact: () => Effect.succeed(answer) })
    yield* served.request("POST", "/api/v1/contacts", { json: {}, headers: { "idempotency-key": "k" } })
    expect([...served.takenFrom]).toEqual([["requests:application", 1]])
  })
)

it.scopedLive("passes the purpose of the operation to authentication", () =>
  Effect.gen(function* () {
    const served = yield* serve({ callers: { [token]: refuse("workspace_suspended") } })
    const answer = yield* served.request("POST", "/api/v1/contacts", { json: {} })
    expect(answer.status).toBe(423)
  })
)
