import { expect, it } from "vitest"
import { failure, ok, type Reply, refusal, type Seen, scripted } from "./scripted.js"

/** A token endpoint that numbers its tokens. By default only the newest one is valid. */
const tokens = (options: { readonly lifetime?: number; readonly honours?: (token: string) => boolean } = {}) => {
  let issued = 0
  const { lifetime = 3_600, honours = (token) => token === `token-${issued}` } = options
  const answer = ({ url, headers }: Seen): Reply => {
    if (url.endsWith("/oauth/token")) {
      issued += 1
      return {
        body: { access_token: `token-${issued}`, token_type: "Bearer", expires_in: lifetime, scope: "contacts.read" }
      }
    }
    return honours((headers.authorization ?? "").slice(7)) ? ok : refusal(401, "unauthenticated")
  }
  return answer
}

const requests = (seen: ReadonlyArray<Seen>) =>
  seen.map(({ url, headers }) => (url.endsWith("/oauth/token") ? "token" : headers.authorization))

it("requests a token first and uses it until shortly before it expires", async () => {
  const { client, seen, clock } = scripted([tokens()], { oauth: { scope: "contacts.read" } })
  await client.contacts.get("1")
  clock.now += 3_539_000
  await client.contacts.get("1")
  clock.now += 2_000
  await client.contacts.get("1")
  expect(requests(seen)).toEqual(["token", "Bearer token-1", "Bearer token-1", "token", "Bearer token-2"])
  expect(seen[0]).toMatchObject({
    method: "POST",
    url: "https://parley.test/api/v1/oauth/token",
    body: {
      grant_type: "client_credentials",
      client_id: "client",
      client_secret: "secret",
      scope: "contacts.read"
    }
  })
  expect(seen[0]?.headers).not.toHaveProperty("authorization")
  expect(seen[0]?.headers).not.toHaveProperty("idempotency-key")
})

it("requests all scopes by default", async () => {
  const { client, seen } = scripted([tokens()], { oauth: {} })
  await client.contacts.get("1")
  expect(seen[0]?.body).not.toHaveProperty("scope")
})

it("uses a token with a short lifetime", async () => {
  const { client, seen } = scripted([tokens({ lifetime: 10 })], { oauth: {} })
  await client.contacts.get("1")
  await client.contacts.get("1")
  expect(requests(seen)).toEqual(["token", "Bearer token-1", "Bearer token-1"])
})

it("shares one renewal among concurrent calls", async () => {
  const { client, seen } = scripted([tokens()], { oauth: {} })
  await Promise.all([1, 2, 3].map((id) => client.contacts.get(String(id))))
  expect(requests(seen)).toEqual(["token", "Bearer token-1", "Bearer token-1", "Bearer token-1"])
})

it("renews a refused token once, and does not count that as a retry", async () => {
  const { client, seen } = scripted([tokens({ honours: (token) => token === "token-2" })], {
    oauth: {},
    maxRetries: 0
  })
  await client.contacts.get("1")
  expect(requests(seen)).toEqual(["token", "Bearer token-1", "token", "Bearer token-2"])
})

it("renews once for calls refused together", async () => {
  const { client, seen } = scripted([tokens({ honours: (token) => token === "token-2" })], { oauth: {} })
  await Promise.all([client.contacts.get("1"), client.contacts.get("2")])
  expect(requests(seen).filter((what) => what === "token")).toHaveLength(2)
})

it("keeps a new token if the old one is refused later", async () => {
  const answer = tokens({ honours: (token) => token === "token-2" })
  let refuse = () => {}
  const later = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const { client, seen } = scripted(
    [
      (request) =>
        request.url.endsWith("/slow") && request.headers.authorization === "Bearer token-1"
          ? later.then(() => answer(request))
          : answer(request)
    ],
    { oauth: {} }
  )
  const slow = client.contacts.get("slow")
  await client.contacts.get("fast")
  refuse()
  await slow
  expect(requests(seen).filter((what) => what === "token")).toHaveLength(2)
})

it("fails if the new token is refused too", async () => {
  const { client, seen } = scripted([tokens({ honours: () => false })], { oauth: {} })
  const error = await failure(client.contacts.get("1"))
  expect([error.code, error.status]).toEqual(["unauthenticated", 401])
  expect(requests(seen)).toEqual(["token", "Bearer token-1", "token", "Bearer token-2"])
})

it("keeps the idempotency key across a renewal", async () => {
  const { client, seen } = scripted([tokens({ honours: (token) => token === "token-2" })], { oauth: {} })
  await client.contacts.create({ email: "ada@example.com" })
  const keys = seen.map(({ headers }) => headers["idempotency-key"]).filter((key) => key !== undefined)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

it("keeps the idempotency key of a call whose token cannot be renewed", async () => {
  const gone = new TypeError("fetch failed")
  const server = tokens()
  // The token expires while the call is made: its answer is lost, and so is each answer to the renewal.
  const { client, seen, clock } = scripted(
    [
      server,
      () => {
        clock.now += 3_600_000
        throw gone
      },
      gone
    ],
    { oauth: {}, maxRetries: 1 }
  )
  const calls = ["order-1", "order-2"].map((idempotencyKey) =>
    failure(client.contacts.create({ email: "ada@example.com" }, { idempotencyKey }))
  )
  expect(await Promise.all(calls)).toMatchObject([
    { name: "ParleyError", code: "network_error", status: null, cause: gone, idempotencyKey: "order-1" },
    { name: "ParleyError", code: "network_error", status: null, cause: gone, idempotencyKey: "order-2" }
  ])
  const keys = seen.map(({ headers }) => headers["idempotency-key"]).filter((key) => key !== undefined)
  expect(keys).toEqual(["order-1", "order-2"])
})

it("reports refusals of the token endpoint without retrying", async () => {
  const refused = { status: 401, body: { error: "invalid_client", error_description: "The client is unknown." } }
  const { client, seen } = scripted([refused], { oauth: {} })
  const error = await failure(client.contacts.get("1"))
  expect([error.code, error.status, error.message]).toEqual(["invalid_client", 401, "The client is unknown."])
  expect(seen).toHaveLength(1)
  await failure(client.contacts.get("1"))
  expect(seen).toHaveLength(2)
})

it("retries the token endpoint by the same rules", async () => {
  const busy = { status: 429, headers: { "retry-after": "3" }, body: { error: "temporarily_unavailable" } }
  const token = { body: { access_token: "token", token_type: "Bearer", expires_in: 3_600, scope: "" } }
  const { client, seen } = scripted([busy, new TypeError("fetch failed"), token, ok], { oauth: {} })
  await client.contacts.get("1")
  expect(seen.map(({ at }) => at - (seen[0]?.at ?? 0))).toEqual([0, 3_000, 3_750, 3_750])
})

it("rejects malformed token responses", async () => {
  const { client } = scripted([{ body: { hello: "world" } }], { oauth: {} })
  expect((await failure(client.contacts.get("1"))).code).toBe("unexpected_response")
})

it("aborts at once while waiting for a token", async () => {
  const { client, clock } = scripted(["silence"], { oauth: {} })
  const controller = new AbortController()
  const began = clock.now
  const call = failure(client.contacts.get("1", { signal: controller.signal }))
  queueMicrotask(() => controller.abort())
  expect([(await call).name, clock.now]).toEqual(["AbortError", began])
})

it("aborting one call does not abort the shared renewal", async () => {
  const { client, seen } = scripted([tokens()], { oauth: {} })
  const controller = new AbortController()
  const first = failure(client.contacts.get("1", { signal: controller.signal }))
  const second = client.contacts.get("2")
  controller.abort()
  expect((await first).name).toBe("AbortError")
  expect((await second).data).toEqual({ id: "1" })
  expect(requests(seen)).toEqual(["token", "Bearer token-1"])
})
