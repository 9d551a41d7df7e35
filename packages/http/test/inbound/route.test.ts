import { expect, it } from "@effect/vitest"
import { type ProviderAnswer, type ProviderHook, type ProviderRequest, refuse, StorageUnavailable } from "@parley/core"
import { Effect, Either, Logger, LogLevel } from "effect"
import { trustedProxies } from "../../src/server/clientAddress.js"
import type { Fakes } from "../fakes.js"
import { type RequestOptions, type Served, serve } from "../serve.js"

const connectionId = "0190a1b2-0000-7000-8000-0000000000a1"
const path = `/inbound/${connectionId}`
const ok: ProviderAnswer = { status: 200, headers: { "content-type": "text/plain" }, body: "" }

/** One connection with this hook; records its requests. */
const hooked = (
  parts: Partial<ProviderHook> = {},
  fakes: Partial<Fakes> = {},
  options: Parameters<typeof serve>[1] = {}
) => {
  const requests: Array<ProviderRequest> = []
  const paths: Array<string> = []
  const hook: ProviderHook = { methods: ["GET", "POST"], bodyLimit: 1_000, answer: () => Effect.succeed(ok), ...parts }
  const hookAt: Fakes["hookAt"] = (id, below) => {
    paths.push(below)
    if (id !== connectionId) return Effect.fail(refuse("not_found"))
    return Effect.succeed({
      ...hook,
      answer: (request) => {
        requests.push(request)
        return hook.answer(request)
      }
    })
  }
  return Effect.map(serve({ hookAt, ...fakes }, options), (served) => ({ served, requests, paths }))
}
const rateToken = (served: Served) => [...served.takenFrom]
const call = (served: Served, method: string, path: string, options: RequestOptions = {}) =>
  served.request(method, path, { token: null, ...options })

it.scopedLive("passes a request on unchanged", () =>
  Effect.gen(function* () {
    const { requests, paths, served } = yield* hooked()
    const body = new Uint8Array([0, 255, 123])
    const headers = { "content-type": "image/png", "x-signature": "s" }
    yield* call(served, "POST", `${path}/below/b%20c?one=1&two=%C3%A9&one=2&__proto__=x`, { body, headers })
    expect(paths).toEqual(["/below/b%20c"])
    expect(requests[0]).toMatchObject({ method: "POST", path: "/below/b%20c", address: "127.0.0.1" })
    expect(Object.entries(requests[0]?.query ?? {}).sort()).toEqual([
      ["__proto__", "x"],
      ["one", "1"],
      ["two", "é"]
    ])
    expect(requests[0]?.headers).toMatchObject(headers)
    expect([...(requests[0]?.body ?? [])]).toEqual([0, 255, 123])
  })
)

it.scopedLive("returns the provider's response, with a request id and without rate limit", () =>
  Effect.gen(function* () {
    const headers = { "content-type": "text/css", "cache-control": "max-age=60" }
    const { served } = yield* hooked({ answer: () => Effect.succeed({ ...ok, status: 202, headers, body: "" }) })
    const answer = yield* call(served, "POST", path)
    expect(answer.status).toBe(202)
    expect(answer.headers).toMatchObject({ ...headers, "x-content-type-options": "nosniff", "content-length": "0" })
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers).not.toHaveProperty("x-ratelimit-limit")
    expect(rateToken(served)).toEqual([])
  })
)

it.scopedLive("reads no body of a GET", () =>
  Effect.gen(function* () {
    const { requests, served } = yield* hooked()
    const get = `GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\nConnection: close\r\n\r\n${"x".repeat(2_000)}`
    expect((yield* served.raw(get)).text).toMatch(/^HTTP\/1\.1 200/)
    expect(requests[0]?.body.length).toBe(0)
  })
)

for (const [what, method, target, options, status, code] of [
  ["an unknown id", "POST", "/inbound/0190a1b2-0000-7000-8000-0000000000a2", {}, 404, "not_found"],
  ["a malformed id", "POST", "/inbound/nonsense", {}, 404, "not_found"],
  ["no id", "POST", "/inbound", {}, 404, "not_found"],
  ["an empty id", "POST", "/inbound//", {}, 404, "not_found"],
  ["another method", "DELETE", path, {}, 405, "method_not_allowed"],
  ["a body over the provider's limit", "POST", path, { body: "x".repeat(1_001) }, 413, "payload_too_large"]
] as const) {
  it.scopedLive(`answers ${status} to ${what}, and charges the address`, () =>
    Effect.gen(function* () {
      const { requests, served } = yield* hooked()
      const answer = yield* call(served, method, target, options)
      expect([answer.status, answer.error?.code]).toEqual([status, code])
      expect(answer.error?.request_id).toBe(answer.headers["x-request-id"])
      expect(answer.headers.allow).toBe(status === 405 ? "GET, POST" : undefined)
      expect(answer.headers["x-ratelimit-remaining"]).toBe("599")
      expect(rateToken(served)).toEqual([["address:127.0.0.1", 1]])
      expect(requests).toEqual([])
    })
  )
}

it.scopedLive("answers 405 to HEAD, without a body", () =>
  Effect.gen(function* () {
    const { served } = yield* hooked()
    const answer = yield* call(served, "HEAD", path)
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([405, "GET, POST", ""])
  })
)

it.scopedLive("leaves methods to a provider that declares none", () =>
  Effect.gen(function* () {
    const { requests, served } = yield* hooked({
      methods: null,
      answer: () => Effect.succeed({ ...ok, status: 204 })
    })
    for (const method of ["OPTIONS", "PUT", "HEAD"]) {
      const answer = yield* call(served, method, `${path}/messages`)
      expect([answer.status, answer.headers["content-length"]]).toEqual([204, undefined])
    }
    expect(requests.map(({ method }) => method)).toEqual(["OPTIONS", "PUT", "HEAD"])
  })
)

for (const [code, status, counts] of [
  ["unauthenticated", 401, true],
  ["forbidden", 403, true],
  ["bad_request", 400, false],
  ["service_unavailable", 503, false]
] as const) {
  it.scopedLive(`answers ${status} if the hook refuses with ${code}`, () =>
    Effect.gen(function* () {
      const { served } = yield* hooked({ answer: () => Effect.fail(refuse(code)) })
      const answer = yield* call(served, "POST", path)
      expect([answer.status, answer.error?.code]).toEqual([status, code])
      expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined)
      // Vendors sign their requests: there is no scheme to name.
      expect(answer.headers).not.toHaveProperty("www-authenticate")
      expect(rateToken(served)).toEqual(counts ? [["address:127.0.0.1", 1]] : [])
    })
  )
}

it.scopedLive("answers 503 while the storage is unavailable", () =>
  Effect.gen(function* () {
    const { served } = yield* hooked({ answer: () => new StorageUnavailable({ cause: "down" }) })
    const answer = yield* call(served, "POST", path)
    expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "1"])
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
)

it.scopedLive("takes no token for a 429 of the provider, which limits these requests itself", () =>
  Effect.gen(function* () {
    const answer = () => Effect.succeed({ status: 429, headers: { "retry-after": "7" }, body: "" })
    const { served } = yield* hooked({ methods: null, answer }, { anonymousLimit: 1 })
    for (let n = 0; n < 3; n += 1) {
      const answered = yield* call(served, "POST", path)
      expect([answered.status, answered.headers["retry-after"]]).toEqual([429, "7"])
    }
    expect(rateToken(served)).toEqual([])
  })
)

it.scopedLive("answers 429 to an address after too many refusals, including those of the provider", () =>
  Effect.gen(function* () {
    const answer = ({ path }: ProviderRequest) => Effect.succeed({ ...ok, status: path === "/good" ? 200 : 404 })
    const { served } = yield* hooked({ methods: null, answer }, { anonymousLimit: 2 })
    const statuses: Array<number> = []
    for (const below of ["/bad", "/good", "/bad", "/bad", "/good"]) {
      statuses.push((yield* call(served, "POST", path + below)).status)
    }
    expect(statuses).toEqual([404, 200, 404, 429, 200])
    const refused = yield* call(served, "POST", "/inbound/nonsense")
    expect([refused.status, refused.error?.code]).toEqual([429, "rate_limited"])
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
  })
)

for (const [what, wrong] of [
  ["header", { headers: { "x-name": "Zoë\n✓" } }],
  ["header's name", { headers: { "x name": "Zoe" } }],
  ["status", { status: 99 }],
  ["status out of range", { status: 101 }],
  ["status that is not a number", { status: Number.NaN }]
] as const) {
  it.scopedLive(`answers 500 to a provider's ${what} that HTTP cannot carry, and keeps serving`, () =>
    Effect.gen(function* () {
      const { served } = yield* hooked({ answer: () => Effect.succeed({ ...ok, ...wrong }) })
      for (const _ of [1, 2]) expect((yield* call(served, "POST", path)).status).toBe(500)
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
}

it.scopedLive("sends bytes as bytes", () =>
  Effect.gen(function* () {
    const body = new Uint8Array([0x7b, 0x7d])
    const { served } = yield* hooked({ answer: () => Effect.succeed({ ...ok, body }) })
    const answer = yield* call(served, "GET", path)
    expect([answer.text, answer.headers["content-length"]]).toEqual(["{}", "2"])
  })
)

/** Requests come from a public address, through a trusted proxy. */
const proxied = { trustedProxies: Either.getOrThrow(trustedProxies(["127.0.0.1"])) }
const from = { "x-forwarded-for": "203.0.113.7" }

it.scopedLive("refuses webhooks of an address above its limit before it reads them", () =>
  Effect.gen(function* () {
    const { paths, requests, served } = yield* hooked(
      { answer: () => Effect.fail(refuse("unauthenticated")) },
      { anonymousLimit: 1 },
      proxied
    )
    const statuses = yield* Effect.forEach([path, path, path, "/inbound/nonsense"], (target) =>
      Effect.map(call(served, "POST", target, { headers: from }), ({ status }) => status)
    )
    expect(statuses).toEqual([401, 429, 429, 429])
    expect([paths.length, requests.length]).toEqual([2, 2])
    expect(rateToken(served)).toEqual([["address:203.0.113.7", 1]])
  })
)

it.scopedLive("reads webhooks of an address of a private network, which may be a proxy, above its limit", () =>
  Effect.gen(function* () {
    const { requests, served } = yield* hooked(
      { answer: () => Effect.fail(refuse("unauthenticated")) },
      { anonymousLimit: 1 }
    )
    for (const _ of [1, 2, 3, 4]) yield* call(served, "POST", path)
    expect(requests).toHaveLength(4)
  })
)

it.scopedLive("keeps reading webhooks of an address above its limit from which one was verified", () =>
  Effect.gen(function* () {
    const { served } = yield* hooked(
      { answer: ({ headers }) => (headers.signature === "right" ? Effect.succeed(ok) : refuse("unauthenticated")) },
      { anonymousLimit: 1 },
      proxied
    )
    const statuses = yield* Effect.forEach(["right", "wrong", "wrong", "right"], (signature) =>
      Effect.map(call(served, "POST", path, { headers: { ...from, signature } }), ({ status }) => status)
    )
    expect(statuses).toEqual([200, 401, 429, 200])
  })
)

it.scopedLive("reads requests of visitors of an address above its limit", () =>
  Effect.gen(function* () {
    const { served } = yield* hooked(
      { methods: null, answer: ({ path }) => (path === "/no" ? refuse("not_found") : Effect.succeed(ok)) },
      { anonymousLimit: 1 },
      proxied
    )
    const statuses = yield* Effect.forEach(["/no", "/no", "/messages", ""], (below) =>
      Effect.map(call(served, "POST", `${path}${below}`, { headers: from }), ({ status }) => status)
    )
    expect(statuses).toEqual([404, 429, 200, 429])
  })
)
