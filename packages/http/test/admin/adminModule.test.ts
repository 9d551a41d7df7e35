import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Admin, serveAdmin } from "./serveAdmin.js"

const call = (method: string, path: string, body?: object, token?: string | null) =>
  Effect.flatMap(Admin, (admin) => admin.call(method, path, body, token))

/** `data` of a call that must have this status. */
const data = (status: number, method: string, path: string, body?: object) =>
  Effect.map(call(method, path, body), (answer) => {
    expect([method, path, answer.status, answer.json.error]).toEqual([method, path, status, undefined])
    return answer.json.data
  })

const unknownId = "01900000-0000-7000-8000-00000000dead"
const keysOf = (resource: object) => Object.keys(resource).sort()

const newWorkspace = data(201, "POST", "/workspaces", { name: "Bakery", default_language: "en" })
const newConnection = (workspace_id: string) =>
  data(201, "POST", "/connections", {
    workspace_id,
    channel: "whatsapp",
    provider: "sandbox",
    name: "Front desk",
    handle: "+49 30 123456",
    is_test: true,
    config: { verdict_wait_ms: 100 },
    credentials: { token: "hush" }
  })
const newApplication = (workspace_id: string, connection_ids: ReadonlyArray<string> = []) =>
  data(201, "POST", "/applications", {
    workspace_id,
    name: "Shop",
    mode: "test",
    scopes: ["messages.send", "webhooks.receive"],
    connection_ids,
    limits: { requests_per_minute: 60 }
  })

layer(serveAdmin(), { excludeTestServices: true })("the admin API", (it) => {
  it.effect("rejects requests without its token", () =>
    Effect.gen(function* () {
      for (const token of [null, "another-token", "admin-token2", "admin-toke"]) {
        const answer = yield* call("GET", "/workspaces", undefined, token)
        expect([answer.status, answer.json.error.code]).toEqual([401, "unauthenticated"])
        expect(answer.headers.get("x-request-id")).toBe(answer.json.error.request_id)
        expect(answer.headers.get("x-ratelimit-limit")).toBe("600")
      }
    })
  )

  it.effect("refuses unknown query parameters and names the known ones, with all other problems", () =>
    Effect.gen(function* () {
      const listed = yield* call("GET", "/contacts?workspace=x&limit=0&__proto__=1")
      expect([listed.status, listed.json.error.code]).toEqual([422, "validation_failed"])
      const known = "is not a parameter; the parameters are limit, cursor, workspace_id, handle, channel"
      expect(Object.entries(listed.json.error.details)).toEqual([
        ["workspace", [known]],
        ["__proto__", [known]],
        ["limit", [expect.any(String)]]
      ])
      const made = yield* call("POST", "/workspaces?dry_run=true", {})
      expect(made.json.error.details).toEqual({
        dry_run: ["is not a parameter: this call has no query parameters"],
        name: ["is required"]
      })
      const many = Array.from({ length: 30 }, (_, n) => `${n}${"x".repeat(200)}=`).join("&")
      const names = Object.keys((yield* call("GET", `/workspaces?${many}`)).json.error.details)
      expect([names.length, names[0]?.length]).toEqual([20, 80])
    })
  )

  it.effect("has a rate bucket apart from requests without token", () =>
    Effect.gen(function* () {
      const left = (answer: { readonly headers: Headers }) => Number(answer.headers.get("x-ratelimit-remaining"))
      const before = left(yield* call("GET", "/workspaces"))
      for (const token of [null, "another-token"]) yield* call("GET", "/workspaces", undefined, token)
      expect(left(yield* call("GET", "/workspaces"))).toBe(before - 1)
    })
  )

  it.effect("manages workspaces and their status", () =>
    Effect.gen(function* () {
      const made = yield* newWorkspace
      expect(made).toEqual({
        id: made.id,
        name: "Bakery",
        default_language: "en",
        timezone: "UTC",
        status: "active",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      })
      const path = `/workspaces/${made.id}`
      const suspended = yield* data(200, "PATCH", path, { status: "suspended", default_language: null })
      expect(suspended).toEqual({ ...made, status: "suspended", default_language: null })
      expect(yield* data(200, "GET", path)).toEqual(suspended)
      expect(yield* data(200, "PATCH", path, {})).toEqual(suspended)
      const again = yield* call("PATCH", path, { status: "suspended" })
      expect([again.status, again.json.error.code]).toEqual([409, "invalid_tenant_transition"])
    })
  )

  it.effect("manages applications and shows each key once", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const connection = yield* newConnection(workspace.id)
      const made = yield* newApplication(workspace.id, [connection.id])
      expect(made).toEqual({
        id: made.id,
        workspace_id: workspace.id,
        name: "Shop",
        mode: "test",
        scopes: ["messages.send", "webhooks.receive"],
        connection_ids: [connection.id],
        limits: { requests_per_minute: 60, sends_per_minute: 100 },
        status: "active",
        created_at: made.created_at
      })
      const path = `/applications/${made.id}`
      const changed = yield* data(200, "PATCH", path, { limits: { sends_per_minute: 5 }, status: "suspended" })
      expect(changed).toEqual({
        ...made,
        limits: { requests_per_minute: 60, sends_per_minute: 5 },
        status: "suspended"
      })
      expect(yield* data(200, "GET", path)).toEqual(changed)

      const issued = yield* data(201, "POST", `${path}/api-keys`)
      expect(issued.key).toMatch(/^parley_test_[0-9A-Za-z]{32}$/)
      const rotated = yield* data(201, "POST", `${path}/api-keys/${issued.id}/rotate`)
      const revoked = yield* data(200, "DELETE", `${path}/api-keys/${rotated.id}`)
      expect(keysOf(revoked)).toEqual(["application_id", "created_at", "id", "last_four", "revoked_at"])
      const listed = yield* call("GET", `${path}/api-keys`)
      expect(listed.json.data.map((key: { readonly id: string }) => key.id)).toEqual([rotated.id, issued.id])
      expect(JSON.stringify(listed.json)).not.toContain(issued.key)
    })
  )

  it.effect("manages OAuth clients and shows each secret once", () =>
    Effect.gen(function* () {
      const application = yield* newApplication((yield* newWorkspace).id)
      const list = `/applications/${application.id}/oauth-clients`
      const issued = yield* data(201, "POST", list)
      const { client_secret, ...client } = issued
      expect(client_secret).toMatch(/^parley_secret_[0-9A-Za-z]{32}$/)
      expect(client).toEqual({
        id: client.id,
        application_id: application.id,
        client_id: expect.stringMatching(/^parley_client_[0-9A-Za-z]{24}$/),
        last_four: client_secret.slice(-4),
        created_at: client.created_at,
        revoked_at: null
      })
      const rotated = yield* data(201, "POST", `${list}/${client.id}/rotate`)
      expect(rotated).toEqual({
        ...client,
        client_secret: rotated.client_secret,
        last_four: rotated.client_secret.slice(-4)
      })
      expect(rotated.client_secret).not.toBe(client_secret)
      const another = yield* data(201, "POST", list)
      const revoked = yield* data(200, "DELETE", `${list}/${client.id}`)
      expect(revoked).toEqual({ ...client, last_four: rotated.last_four, revoked_at: expect.any(String) })
      expect(yield* data(200, "DELETE", `${list}/${client.id}`)).toEqual(revoked)
      const refused = yield* call("POST", `${list}/${client.id}/rotate`)
      expect([refused.status, refused.json.error.code]).toEqual([409, "invalid_transition"])
      const page = yield* call("GET", `${list}?limit=1`)
      expect(page.json.data.map(({ id }: { readonly id: string }) => id)).toEqual([another.id])
      const next = yield* call("GET", page.json.links.next)
      expect(next.json).toMatchObject({ data: [revoked], meta: { per_page: 1, has_more: false } })
      for (const path of [
        `/applications/${unknownId}/oauth-clients`,
        `${list}/${unknownId}/rotate`,
        `${list}/1/rotate`
      ]) {
        const missing = yield* call("POST", path)
        expect([path, missing.status]).toEqual([path, 404])
      }
    })
  )

  it.effect("manages webhook endpoints and shows each secret once", () =>
    Effect.gen(function* () {
      const application = yield* newApplication((yield* newWorkspace).id)
      const list = `/applications/${application.id}/webhook-endpoints`
      const made = yield* data(201, "POST", list, { url: "https://shop.example/", events: ["*"], description: "All" })
      const { secret, ...endpoint } = made
      expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/)
      expect(endpoint).toEqual({
        id: made.id,
        application_id: application.id,
        url: "https://shop.example/",
        events: ["*"],
        description: "All",
        status: "active",
        consecutive_failures: 0,
        ordered: null,
        created_at: made.created_at
      })
      const path = `/webhook-endpoints/${made.id}`
      expect(yield* data(200, "GET", path)).toEqual(endpoint)
      const disabled = yield* data(200, "PATCH", path, {
        status: "disabled",
        events: ["message.read"],
        description: ""
      })
      expect(disabled).toEqual({ ...endpoint, status: "disabled", events: ["message.read"], description: null })
      expect((yield* data(200, "POST", `${path}/rotate-secret`)).secret).not.toBe(secret)

      const delivery = yield* data(201, "POST", `${path}/test`)
      expect(delivery).toEqual({
        id: delivery.id,
        application_id: application.id,
        endpoint_id: made.id,
        event_id: delivery.event_id,
        event_type: "webhook.test",
        status: "pending",
        attempt_count: 0,
        created_at: delivery.created_at,
        completed_at: null,
        next_attempt_at: delivery.created_at,
        waiting_for: null,
        attempts: []
      })
      expect(yield* data(200, "GET", `/webhook-deliveries/${delivery.id}`)).toEqual(delivery)
      const { attempts: _attempts, ...short } = delivery
      expect(yield* data(200, "GET", `${path}/deliveries`)).toEqual([short])

      expect((yield* data(200, "DELETE", path)).status).toBe("deleted")
      expect((yield* call("GET", path)).status).toBe(404)
      expect(yield* data(200, "GET", list)).toEqual([])
    })
  )

  it.effect("rejects an endpoint without the scope, and one with a forbidden URL", () =>
    Effect.gen(function* () {
      const application = yield* newApplication((yield* newWorkspace).id)
      const list = `/applications/${application.id}/webhook-endpoints`
      const url = yield* call("POST", list, { url: "http://shop.example/", events: [] })
      expect([url.status, url.json.error.details]).toEqual([
        422,
        { url: ["must be an https URL"], events: ["must have 1 to 100 items"] }
      ])
      yield* data(200, "PATCH", `/applications/${application.id}`, { scopes: ["messages.read"] })
      const scope = yield* call("POST", list, { url: "https://shop.example/", events: ["*"] })
      expect([scope.status, scope.json.error.details]).toEqual([403, { required_scope: "webhooks.receive" }])
    })
  )

  it.effect("manages connections, and never shows credentials", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const made = yield* newConnection(workspace.id)
      expect(made).toEqual({
        id: made.id,
        workspace_id: workspace.id,
        channel: "whatsapp",
        provider: "sandbox",
        name: "Front desk",
        handle: "+4930123456",
        status: "active",
        is_test: true,
        config: { verdict_wait_ms: 100 },
        webhook_url: null,
        held_until: null,
        capabilities: made.capabilities,
        created_at: made.created_at
      })
      const path = `/connections/${made.id}`
      const paused = yield* data(200, "PATCH", path, { status: "paused", credentials: { token: "new" } })
      expect(paused).toEqual({ ...made, status: "paused" })
      expect(yield* data(200, "GET", path)).toEqual(paused)
      const message = yield* data(201, "POST", `${path}/simulate-inbound`, { from: "+491701234567", body: "Hello" })
      expect(message).toMatchObject({
        direction: "inbound",
        status: "delivered",
        body: "Hello",
        connection_id: made.id
      })
      expect(message).toHaveProperty("received_at")
    })
  )

  it.effect("manages templates", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const body = { workspace_id: workspace.id, name: "ready", channel: "whatsapp", language: "en", body: "Hi {{1}}" }
      const made = yield* data(201, "POST", "/templates", body)
      expect(made).toEqual({
        ...body,
        id: made.id,
        category: null,
        status: "draft",
        is_sendable: false,
        variables: ["1"],
        created_at: made.created_at
      })
      const path = `/templates/${made.id}`
      const approved = yield* data(200, "PATCH", path, { status: "approved" })
      expect(approved).toEqual({ ...made, status: "approved", is_sendable: true })
      expect(yield* data(200, "GET", path)).toEqual(approved)
      const taken = yield* call("POST", "/templates", body)
      expect([taken.status, keysOf(taken.json.error.details)]).toEqual([422, ["name"]])
    })
  )

  it.effect("links each page to the next, with its filters", () =>
    Effect.gen(function* () {
      const { base } = yield* Admin
      const { id } = yield* newWorkspace
      const made = yield* Effect.forEach([1, 2, 3], () => newApplication(id))
      const first = yield* call("GET", `/applications?workspace_id=${id}&limit=2`)
      expect(first.json.meta).toEqual({ per_page: 2, has_more: true })
      expect(first.json.links.prev).toBeNull()
      expect(first.json.links.next).toMatch(`${base}/admin/v1/applications?workspace_id=${id}&limit=2&cursor=`)
      const second = yield* call("GET", first.json.links.next)
      expect(second.json.meta).toEqual({ per_page: 2, has_more: false })
      expect(second.json.links).toEqual({ next: null, prev: null })
      const rows = [...first.json.data, ...second.json.data]
      expect(rows).toEqual([...made].reverse())

      const cursor = new URL(first.json.links.next).searchParams.get("cursor")
      const wrong = yield* call("GET", `/applications?cursor=${cursor}&limit=101`)
      expect([wrong.status, keysOf(wrong.json.error.details)]).toEqual([422, ["cursor", "limit"]])
      const foreign = yield* call("GET", `/templates?workspace_id=${id}&cursor=${cursor}`)
      expect([foreign.status, keysOf(foreign.json.error.details)]).toEqual([422, ["cursor"]])
    })
  )

  it.effect("answers 404 for unknown and malformed ids", () =>
    Effect.gen(function* () {
      for (const id of [unknownId, "none"]) {
        for (const path of [
          "workspaces",
          "applications",
          "webhook-endpoints",
          "webhook-deliveries",
          "connections",
          "templates"
        ]) {
          expect([path, (yield* call("GET", `/${path}/${id}`)).status]).toEqual([path, 404])
        }
        expect((yield* call("POST", `/applications/${id}/api-keys`)).status).toBe(404)
        expect((yield* call("DELETE", `/applications/${unknownId}/api-keys/${id}`)).status).toBe(404)
      }
    })
  )

  it.effect("reports every problem of a body at once, without its values", () =>
    Effect.gen(function* () {
      const body = {
        workspace_id: unknownId,
        name: "",
        mode: "prod",
        scopes: ["everything"],
        connection_ids: "x",
        limits: []
      }
      const { status, json } = yield* call("POST", "/applications", body)
      expect([status, json.error.code]).toEqual([422, "validation_failed"])
      expect(keysOf(json.error.details)).toEqual([
        "connection_ids",
        "limits",
        "mode",
        "name",
        "scopes.0",
        "workspace_id"
      ])
      expect(JSON.stringify(json)).not.toContain("everything")
    })
  )
})

layer(serveAdmin({ mount: "/messaging" }), { excludeTestServices: true })("the admin API under a prefix", (it) => {
  it.effect("has the prefix in its links", () =>
    Effect.gen(function* () {
      const { base } = yield* Admin
      yield* newWorkspace
      yield* newWorkspace
      const { json } = yield* call("GET", "/workspaces?limit=1")
      expect(json.links.next).toMatch(`${base}/admin/v1/workspaces?limit=1&cursor=`)
      expect((yield* call("GET", json.links.next)).json.data).toHaveLength(1)
    })
  )
})

layer(serveAdmin({ publicUrl: "https://api.example/parley/" }), { excludeTestServices: true })(
  "the admin API with a public URL",
  (it) => {
    it.effect("has it in its links", () =>
      Effect.gen(function* () {
        yield* newWorkspace
        yield* newWorkspace
        const { json } = yield* call("GET", "/workspaces?limit=1")
        expect(json.links.next).toMatch("https://api.example/parley/admin/v1/workspaces?limit=1&cursor=")
      })
    )
  }
)
