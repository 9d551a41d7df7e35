import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { refuse } from "@parley/core"
import { Effect, Schema } from "effect"
import { apiModule, RequiredScopes, single } from "../src/index.js"
import { contact, contactId, token } from "./fakes.js"
import { type Answered, type RequestOptions, type Served, serve } from "./serve.js"

const none: RequestOptions = { token: null }

const requests: ReadonlyArray<
  readonly [name: string, limit: number, send: (served: Served) => Effect.Effect<Answered>]
> = [
  ["a read without a credential", 1, ({ request }) => request("GET", `/api/v1/contacts/${contactId}`, none)],
  ["a write without a credential", 1, ({ request }) => request("POST", "/api/v1/contacts", { ...none, json: {} })],
  ["an unknown path", 1, ({ request }) => request("GET", "/api/v1/nothing", none)],
  ["another method", 1, ({ request }) => request("PUT", "/api/v1/contacts", none)],
  ["a document", 1, ({ request }) => request("GET", "/api/v1/openapi.json", none)],
  ["the token endpoint", 30, ({ request }) => request("POST", "/api/v1/oauth/token", { ...none, json: {} })]
]

/** A response without what differs between two requests. */
const constant = ({ headers, status, text }: Answered) => {
  const { date: _, "x-request-id": id, ...others } = headers
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  return { status, headers: others, text: text.replaceAll(id as string, "id") }
}

describe("a refusal that is known from an earlier one", () => {
  for (const [name, limit, send] of requests) {
    it.scopedLive(`equals it: ${name}`, () =>
      Effect.gen(function* () {
        const served = yield* serve({ anonymousLimit: 1, exchangeToken: () => Effect.fail(refuse("unauthenticated")) })
        for (let n = 0; n < limit; n++) expect((yield* send(served)).status).not.toBe(429)
        const first = constant(yield* send(served))
        expect(first.status).toBe(429)
        const { "retry-after": firstWait, ...firstHeaders } = first.headers
        const { headers, ...known } = constant(yield* send(served))
        const { "retry-after": wait, ...others } = headers
        expect({ ...known, headers: others }).toEqual({ ...first, headers: firstHeaders })
        expect(Number(wait)).toBeLessThanOrEqual(Number(firstWait))
      })
    )
  }

  it.scopedLive("does not concern credentials of the same address", () =>
    Effect.gen(function* () {
      const served = yield* serve({ anonymousLimit: 1, getContact: () => Effect.succeed(contact) })
      const path = `/api/v1/contacts/${contactId}`
      const statuses = yield* Effect.forEach([null, null, token], (token) =>
        Effect.map(served.request("GET", path, { token }), ({ status }) => status)
      )
      expect(statuses).toEqual([401, 429, 200])
    })
  )

  it.scopedLive("takes no further token", () =>
    Effect.gen(function* () {
      const served = yield* serve({ anonymousLimit: 1 })
      for (let n = 0; n < 4; n++) yield* served.request("GET", "/api/v1/nothing", none)
      expect([...served.takenFrom]).toEqual([["address:127.0.0.1", 1]])
    })
  )
})

const Group = HttpApiGroup.make("workspaces").add(
  HttpApiEndpoint.get("list", "/workspaces")
    .addSuccess(single(Schema.Struct({ id: Schema.String })))
    .annotate(RequiredScopes, [])
)
/** An API whose callers need no credential, such as those of the same process. */
const open = apiModule(HttpApi.make("admin").add(Group).prefix("/admin/v1"), {
  admission: { admit: () => Effect.void, missingScope: () => null },
  handlers: { workspaces: { list: () => Effect.succeed({ data: { id: "1" } }) } }
})

it.scopedLive("does not refuse callers who need no credential, from an address above its limit", () =>
  Effect.gen(function* () {
    const served = yield* serve({ anonymousLimit: 1 }, { more: Effect.succeed(open) })
    const statuses = yield* Effect.forEach(["/api/v1/nothing", "/api/v1/nothing", "/admin/v1/workspaces"], (path) =>
      Effect.map(served.request("GET", path, none), ({ status }) => status)
    )
    expect(statuses).toEqual([404, 429, 200])
  })
)

const noHttp = "this is not HTTP\r\n\r\n"

it.scopedLive("closes connections that send no HTTP without a response, from an address above its limit", () =>
  Effect.gen(function* () {
    const served = yield* serve({ anonymousLimit: 1, getContact: () => Effect.succeed(contact) })
    const texts = yield* Effect.forEach([1, 2, 3], () =>
      Effect.map(served.raw(noHttp), ({ text }) => text.slice(0, 12))
    )
    expect(texts).toEqual(["HTTP/1.1 400", "HTTP/1.1 429", ""])
    expect((yield* served.request("GET", `/api/v1/contacts/${contactId}`)).status).toBe(200)
  })
)
