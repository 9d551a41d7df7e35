import { expect, it } from "@effect/vitest"
import { type IssuedToken, type PartialDecode, refuse, StorageBusy, type TokenInput, tokenLifetime } from "@parley/core"
import { anAccessToken } from "@parley/testkit/rows"
import { Effect, Either, FastCheck as fc, Logger } from "effect"
import { trustedProxies } from "../src/index.js"
import type { Fakes } from "./fakes.js"
import { type Answered, type RequestOptions, type Served, serve } from "./serve.js"

const path = "/api/v1/oauth/token"
const issued: IssuedToken = {
  text: "parley_at_0123456789abcdefghijklmnopqrstuv",
  accessToken: anAccessToken({ scopes: ["contacts.read", "messages.send"] })
}
const fields = { grant_type: "client_credentials", client_id: "me", client_secret: "secret" }
const form = { "content-type": "application/x-www-form-urlencoded" }
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` })

/** What the token exchange receives; null if it is not called. */
const given = (options: RequestOptions) => {
  let decoded: PartialDecode<TokenInput> | null = null
  return Effect.gen(function* () {
    const served = yield* serve({
      exchangeToken: (one) => {
        decoded = one
        return Effect.succeed(issued)
      }
    })
    const answer = yield* request(served, options)
    return { answer, decoded: decoded as PartialDecode<TokenInput> | null }
  })
}
const request = (served: Served, options: RequestOptions) => served.request("POST", path, { token: null, ...options })
const failure = ({ status, json }: Answered) => [status, (json as { readonly error: string }).error]

const whole = { grantType: "client_credentials", clientId: "me", clientSecret: "secret", scope: null }
const text = (others: object) => new URLSearchParams({ ...fields, ...others }).toString()

const readings: ReadonlyArray<readonly [string, RequestOptions, object]> = [
  ["JSON", { json: fields }, whole],
  [
    "JSON with a scope and unknown fields",
    { json: { ...fields, scope: "a b", audience: 1 } },
    { ...whole, scope: "a b" }
  ],
  ["a form", { body: text({}), headers: form }, whole],
  [
    "a form with a charset",
    { body: text({}), headers: { "content-type": `${form["content-type"]};charset=UTF-8` } },
    whole
  ],
  ["a form with a scope", { body: text({ scope: "a b" }), headers: form }, { ...whole, scope: "a b" }],
  ["a form with fields that are ignored", { body: `${text({})}&ignored=1`, headers: form }, whole],
  ["a form with empty fields", { body: text({ scope: "" }), headers: form }, whole],
  [
    "Basic credentials with a form",
    { body: "grant_type=client_credentials", headers: { ...form, ...basic("me:secret") } },
    whole
  ],
  ["Basic credentials with JSON", { json: { grant_type: "client_credentials" }, headers: basic("me:secret") }, whole],
  [
    "Basic credentials beside the same client_id",
    { json: { ...fields, client_secret: "" }, headers: basic("me:secret") },
    whole
  ],
  [
    "Basic credentials that are form-encoded",
    { json: { grant_type: "client_credentials" }, headers: basic("a%3Ab+c:d%2Be&f:g") },
    { ...whole, clientId: "a:b c", clientSecret: "d+e&f:g" }
  ],
  [
    "another Authorization scheme, which is ignored",
    { json: fields, headers: { authorization: "Bearer expired" } },
    whole
  ],
  ["a Basic Authorization without credentials", { json: fields, headers: basic("me") }, whole],
  ["a Basic Authorization that is not base64", { json: fields, headers: { authorization: "Basic ??" } }, whole]
]
for (const [what, options, value] of readings) {
  it.scopedLive(`reads ${what}`, () =>
    Effect.gen(function* () {
      const { answer, decoded } = yield* given(options)
      expect(answer.status).toBe(200)
      expect(decoded).toEqual({ value, problems: {} })
    })
  )
}

const unreadable: ReadonlyArray<readonly [string, RequestOptions]> = [
  ["no body", {}],
  ["malformed JSON", { body: "{" }],
  ["a list", { json: [] }],
  ["an unknown content type", { json: fields, headers: { "content-type": "text/plain" } }],
  ["a form that is not UTF-8", { body: new Uint8Array([0x61, 0x3d, 0xff]), headers: form }],
  ["a field twice", { body: `${text({})}&scope=a&scope=b`, headers: form }],
  ["a secret in two places", { json: fields, headers: basic("me:secret") }],
  ["two client_ids", { json: { ...fields, client_secret: null }, headers: basic("you:secret") }]
]
for (const [what, options] of unreadable) {
  it.scopedLive(`answers invalid_request to ${what}`, () =>
    Effect.gen(function* () {
      const { answer, decoded } = yield* given(options)
      expect(failure(answer)).toEqual([400, "invalid_request"])
      expect(decoded).toBeNull()
    })
  )
}

/** A form of this many bytes. */
const formOf = (bytes: number): RequestOptions => ({ body: `${text({})}&ignored=`.padEnd(bytes, "x"), headers: form })

it.scopedLive("reads bodies of at most 16 KiB, because it parses them before it knows the caller", () =>
  Effect.gen(function* () {
    const largest = yield* given(formOf(16_384))
    expect(largest.answer.status).toBe(200)
    const { answer, decoded } = yield* given(formOf(16_385))
    expect(failure(answer)).toEqual([413, "invalid_request"])
    expect(decoded).toBeNull()
  })
)

it.scopedLive("returns the token in OAuth's shape, without envelope", () =>
  Effect.gen(function* () {
    const { answer } = yield* given({ json: fields })
    expect(answer.json).toEqual({
      access_token: issued.text,
      token_type: "Bearer",
      expires_in: tokenLifetime / 1_000,
      scope: "contacts.read messages.send"
    })
    expect(answer.headers["cache-control"]).toBe("no-store")
  })
)

const kinds: ReadonlyArray<{
  readonly status: number
  readonly error: string
  readonly parts: Partial<Fakes>
  readonly options?: RequestOptions
  readonly method?: string
  readonly headers?: { readonly [name: string]: string | RegExp }
}> = [
  {
    status: 400,
    error: "invalid_scope",
    parts: { exchangeToken: () => Effect.fail(refuse("bad_request", { error: "invalid_scope" }, "No such scope.")) }
  },
  {
    status: 401,
    error: "invalid_client",
    parts: { exchangeToken: () => Effect.fail(refuse("unauthenticated", { error: "invalid_client" }, "Who are you?")) },
    headers: { "www-authenticate": /^Basic realm="/ }
  },
  { status: 405, error: "invalid_request", parts: {}, method: "PUT", headers: { allow: "POST" } },
  { status: 413, error: "invalid_request", parts: {}, options: { body: "x".repeat(1_048_577) } },
  {
    status: 500,
    error: "server_error",
    parts: { exchangeToken: () => Effect.die(new Error("a broken invariant of db-1.internal")) }
  },
  { status: 503, error: "temporarily_unavailable", parts: { storageIsDown: true }, headers: { "retry-after": "1" } },
  {
    status: 503,
    error: "temporarily_unavailable",
    parts: { exchangeToken: () => Effect.fail(new StorageBusy({ reason: "full" })) },
    headers: { "retry-after": "1" }
  }
]
for (const { status, error, parts, options, method, headers } of kinds) {
  it.scopedLive(`answers ${status} ${error} in OAuth's shape, with the common headers`, () =>
    Effect.gen(function* () {
      const served = yield* serve(parts)
      const answer = yield* served.request(method ?? "POST", path, { token: null, json: fields, ...options })
      expect(answer.status).toBe(status)
      expect(answer.json).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
      })
      expect(answer.text).not.toContain("internal")
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.headers["x-ratelimit-remaining"]).toMatch(/^\d+$/)
      expect(answer.headers["content-type"]).toBe("application/json")
      expect(answer.headers["cache-control"]).toBe("no-store")
      if (!("storageIsDown" in parts)) expect(answer.headers["x-ratelimit-limit"]).toBe("30")
      for (const [name, value] of Object.entries(headers ?? {})) expect(answer.headers[name]).toMatch(value)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )
}

it.scopedLive("refuses the 31st request of an address in a minute, also if valid", () =>
  Effect.gen(function* () {
    const served = yield* serve({ exchangeToken: () => Effect.succeed(issued) })
    const answers = yield* Effect.forEach(Array.from({ length: 31 }), (_, i) =>
      request(served, i % 2 === 0 ? { json: fields } : {})
    )
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 200 : 400)),
      429
    ])
    expect(answers[29]?.headers["x-ratelimit-remaining"]).toBe("0")
    const last = answers[30] as Answered
    expect(failure(last)).toEqual([429, "temporarily_unavailable"])
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0)
    expect(last.headers["x-ratelimit-reset"]).toMatch(/^\d{10}$/)
    expect([...served.takenFrom]).toEqual([["tokens:127.0.0.1", 30]])
  })
)

it.scopedLive("leaves adjacent paths to the rest of the interface", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const answer = yield* served.request("POST", "/api/v1/oauth/tokens", { token: null, json: fields })
    expect([answer.status, answer.error?.code]).toEqual([404, "not_found"])
    expect([...served.takenFrom]).toEqual([["address:127.0.0.1", 1]])
  })
)

it.scopedLive("never answers 500 to random bodies", () =>
  Effect.gen(function* () {
    const served = yield* serve(
      {
        exchangeToken: ({ problems }) =>
          Object.keys(problems).length === 0 ? Effect.succeed(issued) : Effect.fail(refuse("bad_request"))
      },
      { trustedProxies: Either.getOrThrow(trustedProxies(["127.0.0.1"])) }
    )
    const garbage = fc.oneof(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.jsonValue().map((value) => JSON.stringify(value))
    )
    const type = fc.constantFrom("application/json", ...Object.values(form))
    const credentials = fc.oneof(fc.constant({}), fc.string({ unit: "binary" }).map(basic))
    const property = fc.asyncProperty(
      garbage,
      type,
      credentials,
      fc.nat({ max: 255 }),
      fc.nat({ max: 255 }),
      async (body, type, credentials, a, b) => {
        const headers = { "content-type": type, "x-forwarded-for": `192.0.${a}.${b}`, ...credentials }
        const answer = await Effect.runPromise(request(served, { body, headers }))
        expect([200, 400]).toContain(answer.status)
      }
    )
    yield* Effect.promise(() => fc.assert(property, { numRuns: 100 }))
  })
)
