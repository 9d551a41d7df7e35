import { expect, it } from "@effect/vitest"
import { ChangesRejected, CommitUncertain, catalogue, refuse, StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect, FiberRef, HashMap, Logger, LogLevel } from "effect"
import { caller, contact, contactId, type Fakes, message, messageId, token } from "./fakes.js"
import { type Answered, type RequestOptions, serve } from "./serve.js"

const keyed = { json: {}, headers: { "idempotency-key": "k" } }
const done = { status: 201, body: `{"data":{"id":"1"}}`, replayed: false }
const read = ["GET", `/api/v1/contacts/${contactId}`] as const
const create = ["POST", "/api/v1/contacts", keyed] as const

const kinds: ReadonlyArray<{
  readonly status: number
  readonly name: string
  readonly given?: Partial<Fakes>
  readonly request: readonly [string, string, RequestOptions?]
  readonly headers?: { readonly [name: string]: string | RegExp }
}> = [
  { status: 200, name: "a resource", given: { getContact: () => Effect.succeed(contact) }, request: read },
  { status: 201, name: "a created resource", given: { createContact: () => Effect.succeed(done) }, request: create },
  {
    status: 201,
    name: "a replay",
    given: { createContact: () => Effect.succeed({ ...done, replayed: true }) },
    request: create,
    headers: { "idempotency-replayed": "true" }
  },
  { status: 400, name: "an unreadable body", request: ["POST", "/api/v1/contacts", { body: "{" }] },
  {
    status: 401,
    name: "no credential",
    request: [...read, { token: null }],
    headers: { "www-authenticate": "Bearer" }
  },
  { status: 403, name: "a missing scope", given: { callers: { [token]: caller({ scopes: [] }) } }, request: read },
  { status: 404, name: "an unknown path", request: ["GET", "/unknown"] },
  {
    status: 404,
    name: "an unknown resource",
    given: { getContact: () => Effect.fail(refuse("not_found")) },
    request: read
  },
  { status: 405, name: "a wrong method", request: ["PATCH", "/api/v1/messages"], headers: { allow: "POST" } },
  {
    status: 409,
    name: "a conflict",
    given: { createContact: () => Effect.fail(refuse("idempotency_conflict")) },
    request: create
  },
  { status: 413, name: "a large body", request: ["POST", "/api/v1/contacts", { body: "x".repeat(1_048_577) }] },
  {
    status: 422,
    name: "invalid fields",
    given: { createContact: () => Effect.fail(refuse("validation_failed", { email: ["is not an address"] })) },
    request: create
  },
  {
    status: 423,
    name: "a suspended workspace",
    given: { callers: { [token]: refuse("workspace_suspended") } },
    request: create
  },
  {
    status: 429,
    name: "an empty bucket",
    given: { callers: { [token]: caller({ requestsPerMinute: 0 }) } },
    request: read,
    headers: {
      "x-ratelimit-limit": "0",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": /^\d{10}$/,
      "retry-after": /^[1-9]\d*$/
    }
  },
  { status: 500, name: "a defect", given: { getContact: () => Effect.die("secret words") }, request: read },
  {
    status: 500,
    name: "data that the storage rejects",
    given: { createContact: () => Effect.fail(new ChangesRejected({ cause: "secret words" })) },
    request: create
  },
  {
    status: 500,
    name: "a handler that throws",
    given: {
      getContact: () => {
        throw new Error("secret words")
      }
    },
    request: read
  },
  {
    status: 502,
    name: "a provider's rejection",
    given: { sendMessage: () => Effect.fail(refuse("provider_error", { provider: "sandbox" })) },
    request: ["POST", "/api/v1/messages", keyed]
  },
  {
    status: 503,
    name: "a storage that is down",
    given: { storageIsDown: true },
    request: read,
    headers: { "x-ratelimit-limit": "600", "x-ratelimit-remaining": "0", "retry-after": "1" }
  },
  {
    status: 503,
    name: "a storage that fails later",
    given: { createContact: () => Effect.fail(new StorageUnavailable({ cause: "secret words" })) },
    request: create,
    headers: { "retry-after": "1" }
  },
  {
    status: 503,
    name: "a storage that is busy",
    given: { createContact: () => Effect.fail(new StorageBusy({ reason: "secret words" })) },
    request: create,
    headers: { "retry-after": "1" }
  },
  {
    status: 503,
    name: "a commit with an unknown result",
    given: { createContact: () => Effect.fail(new CommitUncertain({ cause: "secret words" })) },
    request: create,
    headers: { "retry-after": "1" }
  },
  { status: 503, name: "an interrupted handler", given: { getContact: () => Effect.interrupt }, request: read }
]

const expectPromises = (answer: Answered) => {
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  expect(answer.headers["x-ratelimit-limit"]).toMatch(/^\d+$/)
  expect(answer.headers["x-ratelimit-remaining"]).toMatch(/^\d+$/)
  expect(answer.headers["content-type"]).toBe("application/json")
  if (answer.status < 400) return
  expect(Object.keys(answer.error ?? {})).toEqual(["code", "message", "details", "request_id"])
  expect(answer.error?.request_id).toBe(answer.headers["x-request-id"])
  expect(catalogue[answer.error?.code ?? "bad_request"].status).toBe(answer.status)
  expect(answer.text).not.toContain("secret words")
}

for (const { status, name, given, request, headers } of kinds) {
  it.scopedLive(`answers ${status} to ${name} with all promised headers`, () =>
    Effect.gen(function* () {
      const served = yield* serve(given)
      const answer = yield* served.request(...request)
      expect(answer.status).toBe(status)
      expectPromises(answer)
      for (const [name, value] of Object.entries(headers ?? {})) expect(answer.headers[name]).toMatch(value)
      for (const only of ["retry-after", "x-ratelimit-reset", "idempotency-replayed", "allow"]) {
        if (headers?.[only] === undefined && !(only === "retry-after" && status === 503)) {
          expect(answer.headers[only]).toBeUndefined()
        }
      }
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )
}

it.scopedLive("gives every request its own id and ignores the client's", () =>
  Effect.gen(function* () {
    const served = yield* serve({ getContact: () => Effect.succeed(contact) })
    const headers = { "x-request-id": "mine" }
    const ids = yield* Effect.forEach([1, 2, 3], () =>
      Effect.map(served.request(...read, { headers }), (answer) => answer.headers["x-request-id"])
    )
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain("mine")
  })
)

it.scopedLive("encodes resources by the contract's schema", () =>
  Effect.gen(function* () {
    const served = yield* serve({
      getContact: () => Effect.succeed(contact),
      getMessage: () => Effect.succeed(message)
    })
    const one = yield* served.request(...read)
    expect(one.json).toEqual({
      data: {
        id: contactId,
        first_name: "Ada",
        last_name: "Lovelace",
        name: "Ada Lovelace",
        company: null,
        job_title: null,
        email: "ada@example.com",
        phone: null,
        country: null,
        city: null,
        language: null,
        lifecycle_stage: "lead",
        opted_out: false,
        marketing_opted_out: false,
        last_activity_at: "2026-05-04T08:30:00.000Z",
        created_at: "2026-05-04T08:30:00.000Z",
        identities: [{ channel: "email", handle: "ada@example.com", display_name: null }],
        tags: ["vip"]
      }
    })
    const other = yield* served.request("GET", `/api/v1/messages/${messageId}`)
    expect(other.json).toMatchObject({
      data: { id: messageId, contact_id: contactId, sent_at: "2026-05-04T08:30:00.000Z" }
    })
    expect(other.json).not.toHaveProperty("data.received_at")
  })
)

it.scopedLive("sends a stored response byte by byte", () =>
  Effect.gen(function* () {
    const body = `{ "data" : { "name":"Zoë \\u00e9" } }`
    const served = yield* serve({ createContact: () => Effect.succeed({ status: 201, body, replayed: true }) })
    const answer = yield* served.request(...create)
    expect(answer.text).toBe(body)
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(body)))
  })
)

it.scopedLive("logs internal errors with cause and request id", () => {
  const lines: Array<{ readonly level: string; readonly annotations: object; readonly text: string }> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    lines.push({
      level: logLevel.label,
      annotations: Object.fromEntries(HashMap.toEntries(annotations)),
      text: `${String(message)} ${String(cause)}`
    })
  })
  return Effect.gen(function* () {
    const served = yield* serve({ getContact: () => Effect.die(new Error("a broken invariant")) })
    const answer = yield* served.request(...read)
    yield* served.request("GET", "/api/v1/nothing")
    expect(lines).toHaveLength(1)
    expect(lines[0]?.level).toBe("ERROR")
    expect(lines[0]?.text).toContain("a broken invariant")
    expect(lines[0]?.annotations).toEqual({
      request_id: answer.headers["x-request-id"],
      method: "GET",
      path: `/api/v1/contacts/${contactId}`
    })
  }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
})

it.scopedLive("logs every request at debug level", () => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ annotations, logLevel, message }) => {
    lines.push([logLevel.label, message, HashMap.toEntries(annotations)])
  })
  return Effect.gen(function* () {
    const served = yield* serve()
    const answer = yield* served.request("GET", "/api/v1/nothing?secret=1")
    expect(lines).toEqual([
      [
        "DEBUG",
        [
          "Answered a request.",
          { method: "GET", path: "/api/v1/nothing", status: 404, milliseconds: expect.any(Number) }
        ],
        [["request_id", answer.headers["x-request-id"]]]
      ]
    ])
  }).pipe(Logger.withMinimumLogLevel(LogLevel.Debug), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
})

it.scopedLive("annotates log lines of core with the request id, per request", () => {
  const seen: Array<unknown> = []
  return Effect.gen(function* () {
    const served = yield* serve({
      getContact: () =>
        Effect.flatMap(FiberRef.get(FiberRef.currentLogAnnotations), (annotations) => {
          seen.push(...HashMap.values(annotations))
          return Effect.succeed(contact)
        })
    })
    const answers = yield* Effect.forEach([1, 2], () => served.request(...read))
    expect(seen).toEqual(answers.map((answer) => answer.headers["x-request-id"]))
  })
})
