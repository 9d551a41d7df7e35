import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { text, uuid } from "@parley/core"
import { Effect, Redacted, Schema } from "effect"
import {
  adminAdmission,
  apiModule,
  applicationAdmission,
  IdempotencyKey,
  makeInterpreter,
  OptionalIdempotencyKey,
  RequiredScopes,
  single,
  valid
} from "../src/index.js"
import { contactId, fakes, token } from "./fakes.js"
import { type Served, serve } from "./serve.js"

const Leaf = Schema.Struct({
  id: Schema.String,
  colour: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("leaf_colour"))
})
const LeafInput = Schema.Struct({ colour: text(5) })
const LeafQuery = Schema.Struct({ season: Schema.String, depth: Schema.optional(Schema.NumberFromString) })

const LeavesGroup = HttpApiGroup.make("leaves")
  .add(
    HttpApiEndpoint.patch("paint")`/leaves/${HttpApiSchema.param("leaf", uuid)}`
      .setHeaders(OptionalIdempotencyKey)
      .setUrlParams(LeafQuery)
      .setPayload(LeafInput)
      .addSuccess(single(Leaf), { status: 203 })
  )
  .add(HttpApiEndpoint.post("shake")`/leaves/shake`.addSuccess(single(Schema.Struct({ fallen: Schema.Number }))))
const LeavesApi = HttpApi.make("leaves").add(LeavesGroup).prefix("/admin/v1").annotate(RequiredScopes, [])

const adminToken = "parley_admin_token"
const leaves = Effect.map(adminAdmission(Redacted.make(adminToken)), (admission) =>
  apiModule(LeavesApi, {
    admission,
    handlers: {
      leaves: {
        paint: (call) =>
          Effect.map(valid(call), ({ query, body }) => ({
            data: {
              id: call.path.leaf,
              colour: `${query.season} ${body.colour} ${query.depth} ${call.idempotency?.key}`
            }
          })),
        shake: ({ caller }) => Effect.succeed({ data: { fallen: caller.actor.length } })
      }
    }
  })
)

const paint = (served: Served, query: string, json: object, headers: { readonly [name: string]: string } = {}) =>
  served.request("PATCH", `/admin/v1/leaves/${contactId}${query}`, { token: adminToken, json, headers })

it.scopedLive("encodes a handler's result by the contract's schema and status", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    const answer = yield* paint(served, "?season=autumn&depth=3", { colour: "red" })
    expect([answer.status, answer.json]).toEqual([
      203,
      { data: { id: contactId, leaf_colour: "autumn red 3 undefined" } }
    ])
  })
)

it.scopedLive("accepts an optional key, and rejects an invalid one", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    const good = yield* paint(served, "?season=autumn", { colour: "red" }, { "idempotency-key": "k" })
    expect(good.json).toMatchObject({ data: { leaf_colour: "autumn red undefined k" } })
    const bad = yield* paint(served, "?season=autumn", { colour: "red" }, { "idempotency-key": "k".repeat(256) })
    expect([bad.status, Object.keys(bad.error?.details ?? {})]).toEqual([400, ["Idempotency-Key"]])
  })
)

it.scopedLive("reports every problem of query and body at once", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    const answer = yield* paint(served, "?depth=1&depth=2&other=1&other=2", { colour: "purple" })
    expect([answer.status, answer.error?.code]).toEqual([422, "validation_failed"])
    expect(answer.error?.details).toEqual({
      season: ["is required"],
      depth: ["must be given once"],
      colour: ["must be at most 5 characters"]
    })
  })
)

it.scopedLive("prefers a literal segment, and needs no body where none is declared", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    const answer = yield* served.request("POST", "/admin/v1/leaves/shake", { token: adminToken })
    expect([answer.status, answer.json]).toEqual([200, { data: { fallen: 5 } }])
  })
)

const Url = single(Schema.Struct({ url: Schema.String }))
const UrlApi = HttpApi.make("url")
  .add(HttpApiGroup.make("url").add(HttpApiEndpoint.get("tell")`/url/v1`.addSuccess(Url)))
  .annotate(RequiredScopes, [])
const withUrls = Effect.map(applicationAdmission, (admission) =>
  apiModule(UrlApi, { admission, handlers: { url: { tell: ({ url }) => Effect.succeed({ data: { url } }) } } })
)

for (const [what, target, host, url] of [
  ["its host", "/url/v1?a=b", "api.example:8443", "http://api.example:8443/url/v1?a=b"],
  ["no query", "/url/v1", "[::1]", "http://[::1]/url/v1"],
  ["an invalid host", "/url/v1", "%%%", "http://localhost/url/v1"],
  ["an invalid port", "/url/v1", "a:b:c", "http://localhost/url/v1"]
] as const) {
  it.scopedLive(`passes a handler the url of a request with ${what}`, () =>
    Effect.gen(function* () {
      const served = yield* serve({}, { more: withUrls })
      const headers = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
      const { text } = yield* served.raw(`GET ${target} HTTP/1.1\r\n${headers}\r\n`)
      expect(text).toContain(JSON.stringify({ data: { url } }))
    })
  )
}

it.scopedLive("admits only the admin token, with a separate rate bucket per address", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    const tokens = [null, "", `${adminToken} `, adminToken.slice(1), adminToken.toUpperCase(), adminToken]
    const answers = yield* Effect.forEach(tokens, (token) =>
      served.request("POST", "/admin/v1/leaves/shake", { token })
    )
    // Trailing whitespace is not part of a header value.
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 401, 401, 200])
    expect([...served.takenFrom]).toEqual([
      ["address:127.0.0.1", 4],
      ["administrator:127.0.0.1", 2]
    ])
  })
)

it.scopedLive("checks the credentials of the module that a path belongs to", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { more: leaves })
    yield* served.request("GET", "/admin/v1/nothing")
    yield* served.request("GET", "/api/v1/nothing")
    expect([...served.takenFrom]).toEqual([
      ["address:127.0.0.1", 1],
      ["requests:application", 1]
    ])
  })
)

const admission = { admit: () => Effect.succeed({}), missingScope: () => null }
const shake = () => Effect.succeed({ data: { fallen: 0 } })

it("rejects an endpoint without declared scopes", () => {
  const api = HttpApi.make("open").add(
    HttpApiGroup.make("leaves").add(HttpApiEndpoint.get("list")`/leaves`.addSuccess(Schema.Struct({})))
  )
  const serveIt = () => apiModule(api, { admission, handlers: { leaves: { list: () => Effect.succeed({}) } } })
  expect(serveIt).toThrow("GET /leaves declares no scopes.")
})

it("rejects an endpoint without handler, also at compile time", () => {
  const missing = { leaves: { shake } }
  // @ts-expect-error: `paint` has no handler
  expect(() => apiModule(LeavesApi, { admission, handlers: missing })).toThrow("No handler for PATCH")
})

it("rejects at compile time a handler with a wrong result, or one that requires an optional key", () => {
  const paint = () => Effect.succeed({ data: { id: "1" } })
  // @ts-expect-error: the colour is missing
  apiModule(LeavesApi, { admission, handlers: { leaves: { shake, paint } } })
  const keyed = (call: { readonly idempotency: { readonly key: string } }) =>
    Effect.succeed({ data: { id: call.idempotency.key, colour: null } })
  // @ts-expect-error: there may be no key
  apiModule(LeavesApi, { admission, handlers: { leaves: { shake, paint: keyed } } })
  const api = HttpApi.make("keyed")
    .add(
      HttpApiGroup.make("leaves").add(
        HttpApiEndpoint.post("grow")`/leaves`.setHeaders(IdempotencyKey).addSuccess(single(Leaf))
      )
    )
    .annotate(RequiredScopes, [])
  expect(apiModule(api, { admission, handlers: { leaves: { grow: keyed } } }).operations).toHaveLength(1)
})

it.effect("rejects two operations with the same method and path", () =>
  Effect.gen(function* () {
    const twice = yield* leaves.pipe(Effect.provide(fakes().services))
    const made = yield* makeInterpreter({ modules: [twice, twice] }).pipe(
      Effect.provide(fakes().services),
      Effect.sandbox,
      Effect.flip
    )
    expect(String(made)).toContain("Two operations are PATCH")
  })
)
