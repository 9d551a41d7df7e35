import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { type ProviderHook, refuse } from "@parley/core"
import { Effect, Either, Logger, Redacted, Schema } from "effect"
import { adminAdmission, apiModule, RequiredScopes, single, trustedProxies } from "../src/index.js"
import { contact, contactId, token } from "./fakes.js"
import { type Answered, type Served, serve } from "./serve.js"

const adminToken = "an-admin-token-for-attempts"
const limits = { failedAttempts: { burst: 3, perMinute: 1 } }

const Resource = Schema.Struct({ id: Schema.String })
const Group = HttpApiGroup.make("workspaces").add(
  HttpApiEndpoint.get("list", "/workspaces").addSuccess(single(Resource)).annotate(RequiredScopes, [])
)
const administration = Effect.map(adminAdmission(Redacted.make(adminToken)), (admission) =>
  apiModule(HttpApi.make("admin").add(Group).prefix("/admin/v1"), {
    admission,
    handlers: { workspaces: { list: () => Effect.succeed({ data: { id: "1" } }) } }
  })
)

const serving = (options: { readonly proxies?: ReadonlyArray<string> } = {}) =>
  serve(
    {
      getContact: () => Effect.succeed(contact),
      hookAt: () => Effect.succeed(visitors),
      exchangeToken: () => Effect.fail(refuse("unauthenticated"))
    },
    {
      ...limits,
      more: administration,
      trustedProxies: Either.getOrThrow(trustedProxies(options.proxies ?? []))
    }
  )

/** A provider that serves visitors, of whom one has a session. */
const visitors: ProviderHook = {
  methods: null,
  bodyLimit: 1_000,
  answer: ({ checkCredential, headers }) => {
    const given = headers.authorization?.replace("Bearer ", "") ?? ""
    const session = given === "visitor" ? Effect.void : refuse("unauthenticated")
    return Effect.as(checkCredential?.(given, session) ?? session, { status: 200, headers: {}, body: "{}" })
  }
}

const from = (address: string) => ({ headers: { "x-forwarded-for": address } })

const interfaces: ReadonlyArray<
  readonly [name: string, call: (served: Served, credential: string, address?: string) => Effect.Effect<Answered>]
> = [
  [
    "/api/v1",
    (served, token, address = "192.0.2.1") =>
      served.request("GET", `/api/v1/contacts/${contactId}`, { token, ...from(address) })
  ],
  [
    "an unknown path",
    (served, token, address = "192.0.2.1") => served.request("GET", "/api/v1/nothing", { token, ...from(address) })
  ],
  [
    "/admin/v1",
    (served, token, address = "192.0.2.1") => served.request("GET", "/admin/v1/workspaces", { token, ...from(address) })
  ],
  [
    "/oauth/token",
    (served, client_secret, address = "192.0.2.1") =>
      served.request("POST", "/api/v1/oauth/token", {
        token: null,
        json: { grant_type: "client_credentials", client_id: "me", client_secret },
        ...from(address)
      })
  ],
  [
    "requests of visitors",
    (served, token, address = "192.0.2.1") =>
      served.request("GET", `/inbound/${contactId}/stream`, { token, ...from(address) })
  ]
]
const [[, api], , [, admin], [, oauth], [, visit]] = interfaces as [
  (typeof interfaces)[0],
  (typeof interfaces)[0],
  (typeof interfaces)[0],
  (typeof interfaces)[0],
  (typeof interfaces)[0]
]

const guessing = (served: Served, call: typeof api, count: number, address?: string) =>
  Effect.forEach(Array.from({ length: count }), (_, n) => call(served, `wrong-${n}`, address))

describe("failed attempts", () => {
  for (const [name, call] of interfaces) {
    it.scopedLive(`are limited on ${name}`, () =>
      Effect.gen(function* () {
        const served = yield* serving({ proxies: ["127.0.0.1"] })
        const statuses = (yield* guessing(served, call, 5)).map(({ status }) => status)
        expect(statuses.slice(0, 3)).not.toContain(429)
        expect(statuses.slice(3)).toEqual([429, 429])
      })
    )
  }

  it.scopedLive("leave no right credential accepted, on any interface, until the time of Retry-After", () =>
    Effect.gen(function* () {
      const served = yield* serving({ proxies: ["127.0.0.1"] })
      yield* guessing(served, admin, 3)
      const refused = yield* admin(served, adminToken)
      expect([refused.status, refused.error?.code]).toEqual([429, "rate_limited"])
      expect(refused.headers["x-ratelimit-limit"]).toBe("3")
      expect(refused.headers["x-ratelimit-remaining"]).toBe("0")
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50)
      expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60)
      expect((yield* api(served, token)).status).toBe(429)
      expect((yield* oauth(served, "secret")).json).toMatchObject({ error: "temporarily_unavailable" })
      expect((yield* admin(served, adminToken, "192.0.2.2")).status).toBe(200)
    })
  )

  it.scopedLive("do not lock out callers whose credential succeeded from the same address", () =>
    Effect.gen(function* () {
      const served = yield* serving({ proxies: ["127.0.0.1"] })
      expect((yield* api(served, token)).status).toBe(200)
      yield* guessing(served, admin, 9)
      expect((yield* api(served, token)).status).toBe(200)
      expect((yield* admin(served, adminToken)).status).toBe(429)
    })
  )

  it.scopedLive("lock out no visitor whose session succeeded from the same address", () =>
    Effect.gen(function* () {
      const served = yield* serving({ proxies: ["127.0.0.1"] })
      expect((yield* visit(served, "visitor")).status).toBe(200)
      yield* guessing(served, admin, 3)
      expect((yield* visit(served, "visitor")).status).toBe(200)
      expect((yield* visit(served, "visitor", "192.0.2.2")).status).toBe(200)
      expect((yield* visit(served, "another")).status).toBe(429)
    })
  )

  it.scopedLive("are not made unlimited by a request that does not check the credential", () =>
    Effect.gen(function* () {
      const served = yield* serving({ proxies: ["127.0.0.1"] })
      yield* served.request("POST", "/api/v1/oauth/token", { token: adminToken, json: {}, ...from("192.0.2.1") })
      yield* guessing(served, admin, 3)
      expect((yield* admin(served, adminToken)).status).toBe(429)
    })
  )

  it.scopedLive("are not counted for a client id that is no text", () =>
    Effect.gen(function* () {
      const served = yield* serving()
      const json = { grant_type: "client_credentials", client_id: { toString: 1 }, client_secret: "secret" }
      for (let n = 0; n < 9; n++) {
        expect((yield* served.request("POST", "/api/v1/oauth/token", { token: null, json })).status).toBe(401)
      }
    })
  )

  it.scopedLive("count an IPv6 network together", () =>
    Effect.gen(function* () {
      const served = yield* serving({ proxies: ["127.0.0.1"] })
      for (const host of [1, 2, 3]) yield* admin(served, "wrong", `2001:db8:0:1::${host}`)
      expect((yield* admin(served, adminToken, "2001:db8:0:1::4")).status).toBe(429)
      expect((yield* admin(served, adminToken, "2001:db8:0:2::1")).status).toBe(200)
    })
  )

  it.scopedLive("do not include requests without a credential", () =>
    Effect.gen(function* () {
      const served = yield* serving()
      for (let n = 0; n < 9; n++) {
        expect((yield* served.request("GET", "/admin/v1/workspaces", { token: null })).status).toBe(401)
      }
      expect((yield* admin(served, adminToken)).status).toBe(200)
    })
  )
})

describe("a proxy that is not trusted", () => {
  const warnings = (clients: number, proxies: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Warning") logged.push(String(message))
      })
      yield* Effect.gen(function* () {
        const served = yield* serving({ proxies })
        for (let n = 0; n < clients; n++) yield* api(served, token, `192.0.2.${n}`)
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      return logged
    })

  it.scopedLive("is warned of once", () =>
    Effect.gen(function* () {
      const logged = yield* warnings(25, [])
      expect(logged).toHaveLength(1)
      expect(logged[0]).toContain("PARLEY_TRUSTED_PROXIES")
      expect(logged[0]).toContain("127.0.0.1")
    })
  )

  it.scopedLive("is not warned of with few clients, or if it is trusted", () =>
    Effect.gen(function* () {
      expect(yield* warnings(9, [])).toEqual([])
      expect(yield* warnings(25, ["127.0.0.1"])).toEqual([])
    })
  )
})
