import { expect, layer } from "@effect/vitest"
import type { Scope } from "@parley/core"
import { Clock, Effect, Layer } from "effect"
import { administer, type Caller, Hosts, hosts, newCaller } from "./hosts.js"
import type { Answered, Served } from "./serve.js"

const minute = 60_000
const hour = 60 * minute

/** Offset of the test clock: it follows the real clock and can be advanced, because tests must not wait for timers. */
let ahead = 0
const clock: Clock.Clock = Object.assign(Clock.make(), {
  unsafeCurrentTimeMillis: () => Date.now() + ahead,
  currentTimeMillis: Effect.sync(() => Date.now() + ahead)
})
const later = (milliseconds: number) =>
  Effect.sync(() => {
    ahead += milliseconds
  })

interface Client {
  readonly id: string
  readonly client_id: string
  readonly client_secret: string
}
const clientsOf = ({ applicationId }: Caller) => `/applications/${applicationId}/oauth-clients`
const newClient = (caller: Caller): Effect.Effect<Client, never, Hosts> => administer(201, "POST", clientsOf(caller))
const patch = (path: string, json: object) => administer(200, "PATCH", path, json)

const credentials = ({ client_id, client_secret }: Client, more: object = {}) => ({
  grant_type: "client_credentials",
  client_id,
  client_secret,
  ...more
})
const ask = (request: Served["request"], json: object) => request("POST", "/api/v1/oauth/token", { token: null, json })
const requests = (json: object) => Effect.flatMap(Hosts, ({ one }) => ask(one, json))
const tokenOf = (client: Client, more: object = {}) =>
  Effect.map(requests(credentials(client, more)), ({ json, status }) => {
    expect(status).toBe(200)
    return (json as { readonly access_token: string }).access_token
  })
const failure = ({ status, json }: Answered) => [status, (json as { readonly error: string }).error]

const someId = "01900000-0000-7000-8000-00000000dead"
const calls = {
  channels: ["GET", "/channels"],
  contact: ["GET", `/contacts/${someId}`],
  message: ["GET", `/messages/${someId}`],
  write: ["POST", "/contacts"]
} as const
/** Status and code of a call with a bearer token. */
const call = (request: Served["request"], token: string, what: keyof typeof calls) =>
  Effect.map(
    request(calls[what][0], `/api/v1${calls[what][1]}`, { token, ...(what === "write" ? { json: {} } : {}) }),
    (answer) => [answer.status, answer.error?.code]
  )
const called = (token: string, what: keyof typeof calls) => Effect.flatMap(Hosts, ({ one }) => call(one, token, what))
const unknown = [401, "unauthenticated"]

/** A caller with its own window of token requests: all tests call from one address. */
const newShop = (scopes: ReadonlyArray<Scope> = ["contacts.read", "messages.read"]) =>
  Effect.zipRight(later(minute), newCaller({ scopes }))

for (const [name, live] of hosts()) {
  layer(live.pipe(Layer.provide(Layer.setClock(clock))), { excludeTestServices: true, timeout: 60_000 })(
    `OAuth on ${name}`,
    (it) => {
      it.effect("exchanges a client's credentials for a token that is valid on every host", () =>
        Effect.gen(function* () {
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const answer = yield* requests(credentials(client))
          expect([answer.status, answer.json]).toEqual([
            200,
            {
              access_token: expect.stringMatching(/^parley_at_[0-9A-Za-z]{32}$/),
              token_type: "Bearer",
              expires_in: 3600,
              scope: "contacts.read messages.read"
            }
          ])
          expect(answer.headers).toMatchObject({
            "cache-control": "no-store",
            "x-ratelimit-limit": "30",
            "x-ratelimit-remaining": "29"
          })
          const { access_token } = answer.json as { readonly access_token: string }
          const { one, other } = yield* Hosts
          for (const host of [one, other]) {
            expect(yield* call(host, access_token, "channels")).toEqual([200, undefined])
            expect(yield* call(host, access_token, "contact")).toEqual([404, "not_found"])
          }
        })
      )

      it.effect("rejects wrong credentials with OAuth's error codes", () =>
        Effect.gen(function* () {
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const whole = credentials(client)
          const table: ReadonlyArray<readonly [object, number, string]> = [
            [{ ...whole, grant_type: "password" }, 400, "unsupported_grant_type"],
            [{ ...whole, grant_type: "refresh_token" }, 400, "unsupported_grant_type"],
            [{ ...whole, grant_type: undefined }, 400, "invalid_request"],
            [{ ...whole, client_id: undefined }, 400, "invalid_request"],
            [{ ...whole, client_secret: 7 }, 400, "invalid_request"],
            [{ ...whole, client_id: `${client.client_id}0` }, 401, "invalid_client"],
            [{ ...whole, client_id: client.id }, 401, "invalid_client"],
            [{ ...whole, client_secret: "wrong" }, 401, "invalid_client"],
            [{ ...whole, client_secret: (yield* newClient(shop)).client_secret }, 401, "invalid_client"],
            [{ ...whole, scope: "contacts.read nothing" }, 400, "invalid_scope"],
            [{ ...whole, scope: "contacts.read messages.send" }, 400, "invalid_scope"]
          ]
          for (const [json, status, error] of table) expect(failure(yield* requests(json))).toEqual([status, error])
        })
      )

      it.effect("grants no more than the requested scope", () =>
        Effect.gen(function* () {
          const client = yield* newClient(yield* newShop())
          const token = yield* tokenOf(client, { scope: "messages.read" })
          expect(yield* called(token, "message")).toEqual([404, "not_found"])
          const { one } = yield* Hosts
          const refused = yield* one("GET", `/api/v1/contacts/${someId}`, { token })
          expect([refused.status, refused.error?.code]).toEqual([403, "forbidden"])
          expect(refused.error?.details).toEqual({ required_scope: "contacts.read" })
        })
      )

      it.effect("revokes a scope at once on every host, and does not widen a narrower token", () =>
        Effect.gen(function* () {
          const { one, other } = yield* Hosts
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const [wide, narrow] = [yield* tokenOf(client), yield* tokenOf(client, { scope: "messages.read" })]
          for (const host of [one, other]) expect(yield* call(host, wide, "contact")).toEqual([404, "not_found"])
          const path = `/applications/${shop.applicationId}`
          yield* patch(path, { scopes: ["messages.read"] })
          for (const host of [one, other]) {
            expect(yield* call(host, wide, "contact")).toEqual([403, "forbidden"])
            expect(yield* call(host, wide, "message")).toEqual([404, "not_found"])
          }
          yield* patch(path, { scopes: ["messages.read", "contacts.read", "contacts.write"] })
          expect(yield* call(other, wide, "contact")).toEqual([404, "not_found"])
          expect(yield* call(other, wide, "write")).toEqual([403, "forbidden"])
          expect(yield* call(other, narrow, "contact")).toEqual([403, "forbidden"])
        })
      )

      it.effect("accepts a token for an hour, then asks for a new one", () =>
        Effect.gen(function* () {
          const client = yield* newClient(yield* newShop())
          const token = yield* tokenOf(client)
          yield* later(hour - minute)
          expect(yield* called(token, "channels")).toEqual([200, undefined])
          yield* later(minute)
          const { one } = yield* Hosts
          const refused = yield* one("GET", "/api/v1/channels", { token })
          expect([refused.status, refused.error?.code]).toEqual(unknown)
          expect(refused.error?.message).toContain("expired. Request a new one")
          expect(yield* called(yield* tokenOf(client), "channels")).toEqual([200, undefined])
        })
      )

      it.effect("revokes a client's tokens with the client, at once on every host", () =>
        Effect.gen(function* () {
          const { one, other } = yield* Hosts
          const shop = yield* newShop()
          const [client, another] = [yield* newClient(shop), yield* newClient(shop)]
          const [token, untouched] = [yield* tokenOf(client), yield* tokenOf(another)]
          for (const host of [one, other]) expect(yield* call(host, token, "channels")).toEqual([200, undefined])
          yield* administer(200, "DELETE", `${clientsOf(shop)}/${client.id}`)
          for (const host of [one, other]) {
            expect(yield* call(host, token, "channels")).toEqual(unknown)
            expect(failure(yield* ask(host, credentials(client)))).toEqual([401, "invalid_client"])
            expect(yield* call(host, untouched, "channels")).toEqual([200, undefined])
          }
        })
      )

      it.effect("revokes a client's tokens when its secret is rotated, at once on every host", () =>
        Effect.gen(function* () {
          const { one, other } = yield* Hosts
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const token = yield* tokenOf(client)
          const rotated: Client = yield* administer(201, "POST", `${clientsOf(shop)}/${client.id}/rotate`)
          expect([rotated.id, rotated.client_id]).toEqual([client.id, client.client_id])
          for (const host of [one, other]) {
            expect(yield* call(host, token, "channels")).toEqual(unknown)
            expect(failure(yield* ask(host, credentials(client)))).toEqual([401, "invalid_client"])
          }
          expect(yield* call(other, yield* tokenOf(rotated), "channels")).toEqual([200, undefined])
        })
      )

      it.effect("issues no token to a suspended application and rejects its credentials", () =>
        Effect.gen(function* () {
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const token = yield* tokenOf(client)
          yield* patch(`/applications/${shop.applicationId}`, { status: "suspended" })
          expect(failure(yield* requests(credentials(client)))).toEqual([401, "invalid_client"])
          for (const credential of [token, shop.key]) {
            expect(yield* called(credential, "channels")).toEqual([403, "account_suspended"])
          }
          yield* patch(`/applications/${shop.applicationId}`, { status: "active" })
          expect(yield* called(token, "channels")).toEqual([200, undefined])
        })
      )

      it.effect("issues read access in a suspended workspace, and nothing in an unavailable one", () =>
        Effect.gen(function* () {
          const shop = yield* newShop(["contacts.write"])
          const client = yield* newClient(shop)
          yield* patch(`/workspaces/${shop.workspaceId}`, { status: "suspended" })
          const token = yield* tokenOf(client)
          expect(yield* called(token, "channels")).toEqual([200, undefined])
          expect(yield* called(token, "write")).toEqual([423, "workspace_suspended"])
          yield* patch(`/workspaces/${shop.workspaceId}`, { status: "unavailable" })
          expect(failure(yield* requests(credentials(client)))).toEqual([401, "invalid_client"])
          expect(yield* called(token, "channels")).toEqual([423, "workspace_unavailable"])
        })
      )

      it.effect("separates the credentials of two applications", () =>
        Effect.gen(function* () {
          const { one } = yield* Hosts
          yield* later(minute)
          const mine = yield* newCaller({ email: true })
          const theirs = yield* newCaller({ workspaceId: mine.workspaceId, scopes: ["messages.status"] })
          const [token, foreign] = [yield* tokenOf(yield* newClient(mine)), yield* tokenOf(yield* newClient(theirs))]
          const sent = yield* one("POST", "/api/v1/messages", {
            token,
            headers: { "idempotency-key": "order-1" },
            json: { channel: "email", to: "ada@example.org", type: "text", message: { body: "Hello" } }
          })
          expect(sent.status).toBe(202)
          const { message_id } = (sent.json as { readonly data: { readonly message_id: string } }).data
          const read = (token: string) =>
            Effect.map(one("GET", `/api/v1/messages/${message_id}`, { token }), ({ status }) => status)
          expect([yield* read(token), yield* read(mine.key), yield* read(foreign)]).toEqual([200, 200, 404])

          const client = yield* newClient(mine)
          yield* administer(200, "GET", clientsOf(theirs))
          for (const [method, path] of [
            ["DELETE", ""],
            ["POST", "/rotate"]
          ] as const) {
            const refused = yield* one(method, `/admin/v1${clientsOf(theirs)}/${client.id}${path}`, {
              token: "admin-token"
            })
            expect([refused.status, refused.error?.code]).toEqual([404, "not_found"])
          }
          expect(yield* called(yield* tokenOf(client), "channels")).toEqual([200, undefined])
        })
      )

      it.effect("charges a token's calls to its application's bucket, like those of the key", () =>
        Effect.gen(function* () {
          const { one } = yield* Hosts
          const shop = yield* newShop()
          const token = yield* tokenOf(yield* newClient(shop))
          const left = (credential: string) =>
            Effect.map(one("GET", "/api/v1/channels", { token: credential }), ({ headers }) => [
              headers["x-ratelimit-limit"],
              headers["x-ratelimit-remaining"]
            ])
          expect([yield* left(token), yield* left(shop.key), yield* left(token)]).toEqual([
            ["600", "599"],
            ["600", "598"],
            ["600", "597"]
          ])
        })
      )

      it.effect("allows an address exactly 30 requests a minute across both hosts", () =>
        Effect.gen(function* () {
          const { one, other } = yield* Hosts
          const client = yield* newClient(yield* newShop())
          const race = Effect.all(
            Array.from({ length: 40 }, (_, i) => ask(i % 2 === 0 ? one : other, credentials(client))),
            { concurrency: "unbounded" }
          )
          const answers = yield* race
          const refused = answers.filter(({ status }) => status === 429)
          expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
          expect(refused).toHaveLength(10)
          for (const answer of refused) {
            expect(failure(answer)).toEqual([429, "temporarily_unavailable"])
            const seconds = Number(answer.headers["retry-after"])
            expect(seconds).toBeGreaterThan(0)
            expect(seconds).toBeLessThanOrEqual(60)
            expect(answer.headers).toMatchObject({ "x-ratelimit-limit": "30", "x-ratelimit-remaining": "0" })
          }
          yield* later(minute)
          expect(failure(yield* ask(other, {}))).toEqual([400, "invalid_request"])
        })
      )

      it.effect("shows a client's secret once and stores it nowhere", () =>
        Effect.gen(function* () {
          const { one, storage } = yield* Hosts
          const shop = yield* newShop()
          const client = yield* newClient(shop)
          const token = yield* tokenOf(client)
          const listed = yield* one("GET", `/admin/v1${clientsOf(shop)}`, { token: "admin-token" })
          expect(listed.json).toMatchObject({ data: [{ id: client.id, client_id: client.client_id }] })
          const kept = yield* storage.read({
            clients: { from: "oauthClients", where: { clientId: client.client_id } }
          })
          for (const text of [listed.text, JSON.stringify(kept)]) {
            expect(text).not.toContain(client.client_secret)
            expect(text).not.toContain(token)
          }
        })
      )

      it.effect("records issue, rotation and revocation in the audit log", () =>
        Effect.gen(function* () {
          const { storage } = yield* Hosts
          const shop = yield* newShop()
          const { id } = yield* newClient(shop)
          yield* administer(201, "POST", `${clientsOf(shop)}/${id}/rotate`)
          yield* administer(200, "DELETE", `${clientsOf(shop)}/${id}`)
          const where = { applicationId: shop.applicationId, subjectId: id }
          const entries = yield* storage.list({ from: "auditLog", where, after: null, limit: 10 })
          expect(entries.map(({ action, actor }) => `${actor} ${action}`).reverse()).toEqual([
            "admin oauth_client.issued",
            "admin oauth_client.rotated",
            "admin oauth_client.revoked"
          ])
        })
      )
    }
  )
}

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`API keys on ${name}`, (it) => {
    for (const mode of ["live", "test"] as const) {
      it.effect(`contain the mode of a ${mode} application, and have its current scopes`, () =>
        Effect.gen(function* () {
          const { one, other } = yield* Hosts
          const workspace = yield* administer(201, "POST", "/workspaces", { name: "Bakery" })
          const body = { workspace_id: workspace.id, name: "Shop", mode, scopes: ["contacts.read"] }
          const application = yield* administer(201, "POST", "/applications", body)
          const { key } = yield* administer(201, "POST", `/applications/${application.id}/api-keys`)
          expect(key).toMatch(new RegExp(`^parley_${mode}_[0-9A-Za-z]{32}$`))
          for (const host of [one, other]) {
            expect(yield* call(host, key, "contact")).toEqual([404, "not_found"])
            expect(yield* call(host, key, "message")).toEqual([403, "forbidden"])
          }
          yield* patch(`/applications/${application.id}`, { scopes: ["messages.read"] })
          for (const host of [one, other]) {
            expect(yield* call(host, key, "contact")).toEqual([403, "forbidden"])
            expect(yield* call(host, key, "message")).toEqual([404, "not_found"])
          }
        })
      )
    }

    it.effect("are rejected at once on every host after rotation or revocation", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Hosts
        const caller = yield* newCaller()
        const path = `/applications/${caller.applicationId}/api-keys`
        const issued = yield* administer(201, "POST", path)
        for (const host of [one, other]) expect(yield* call(host, issued.key, "channels")).toEqual([200, undefined])
        const rotated = yield* administer(201, "POST", `${path}/${issued.id}/rotate`)
        for (const host of [one, other]) {
          expect(yield* call(host, issued.key, "channels")).toEqual(unknown)
          expect(yield* call(host, rotated.key, "channels")).toEqual([200, undefined])
        }
        yield* administer(200, "DELETE", `${path}/${rotated.id}`)
        for (const host of [one, other]) expect(yield* call(host, rotated.key, "channels")).toEqual(unknown)
        expect(yield* call(other, caller.key, "channels")).toEqual([200, undefined])
      })
    )

    it.effect("are the only credential besides tokens", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const client = yield* newClient(yield* newCaller())
        for (const token of [client.client_secret, client.client_id, client.id, "admin-token", "parley_at_", "x"]) {
          expect(yield* call(one, token, "channels")).toEqual(unknown)
        }
        expect((yield* one("GET", "/api/v1/channels", { token: null })).status).toBe(401)
      })
    )
  })
}
