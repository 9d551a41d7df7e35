import { expect, layer } from "@effect/vitest"
import { changes, row } from "@parley/core"
import { aConnection, aNotification, anUnknownEvent, someTime } from "@parley/testkit/rows"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller, post } from "../hosts.js"

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const unknownId = "01900000-0000-7000-8000-00000000dead"
const idOf = (number: number) => `0190a1b2-0000-7000-8000-${String(number).padStart(12, "0")}`

interface Line {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly error_code: string | null
}

/** Log lines of an application, oldest first, once there are `count`. */
const logOf = (applicationId: string, count: number): Effect.Effect<ReadonlyArray<Line>, never, Hosts> =>
  Effect.gen(function* () {
    const lines: ReadonlyArray<Line> = yield* administer(200, "GET", `/request-log?application_id=${applicationId}`)
    if (lines.length >= count) return [...lines].reverse()
    yield* Effect.sleep(50)
    return yield* logOf(applicationId, count)
  })

const reported = ({ error_code, method, path, status }: Line) => [method, path, status, error_code]

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the logs of the admin API on ${name}`, (it) => {
    it.effect("list the events of a workspace, with the data of webhooks", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller({ email: true })
        const workspace_id = caller.workspaceId
        const [connection] = yield* administer(200, "GET", `/connections?workspace_id=${workspace_id}`)
        const from = "ada@example.org"
        const written = { from, body: "Hello" }
        const message = yield* administer(201, "POST", `/connections/${connection.id}/simulate-inbound`, written)
        const path = `/conversations/${message.conversation_id}`
        yield* administer(200, "PATCH", path, { status: "pending" })
        const list = (query: string) => administer(200, "GET", `/events?workspace_id=${workspace_id}${query}`)
        const events: ReadonlyArray<any> = yield* list("")
        expect(events.map(({ type }) => type).sort()).toEqual([
          "contact.created",
          "conversation.created",
          "conversation.status_changed",
          "message.received"
        ])
        const [changed] = events
        expect(changed).toEqual({
          id: changed.id,
          workspace_id,
          application_id: null,
          connection_id: connection.id,
          subject_id: message.conversation_id,
          type: "conversation.status_changed",
          data: { conversation: expect.objectContaining({ status: "pending" }), previous_status: "open" },
          created_at: time
        })
        expect(yield* administer(200, "GET", `/events/${changed.id}`)).toEqual(changed)
        expect(yield* administerInVain("GET", `/events/${unknownId}`)).toEqual([404, "not_found", {}])
        expect((yield* list(`&subject_id=${message.id}`)).map(({ type }: any) => type)).toEqual(["message.received"])
        expect(yield* list(`&since=${changed.created_at}`)).toContainEqual(changed)
        expect(yield* list("&since=2999-01-01")).toEqual([])
        const others = yield* newCaller()
        expect(yield* administer(200, "GET", `/events?workspace_id=${others.workspaceId}`)).toEqual([])
        const sent = yield* post(
          (yield* Hosts).one,
          caller,
          "/messages",
          {
            channel: "email",
            to: from,
            type: "text",
            message: { subject: "Re", body: "Hello" }
          },
          "quoting"
        )
        const { message_id } = (sent.json as { readonly data: { readonly message_id: string } }).data
        const ofMessage: ReadonlyArray<any> = yield* list(`&subject_id=${message_id}`)
        const queued = ofMessage.find(({ type }) => type === "message.queued")
        expect(queued).toMatchObject({ application_id: caller.applicationId, data: { message: { id: message_id } } })
      })
    )
    it.effect("list audit entries and notifications since a time", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const audit = (query: string) =>
          administer(200, "GET", `/audit-log?application_id=${caller.applicationId}${query}`)
        const entries = yield* audit("")
        expect(entries.length).toBeGreaterThan(1)
        expect(yield* audit(`&since=${entries.at(-1).created_at}`)).toEqual(entries)
        expect(yield* audit("&since=2999-01-01")).toEqual([])
        const { storage } = yield* Hosts
        const { workspaceId } = caller
        const notification = aNotification({ id: idOf(21), workspaceId })
        yield* storage.commit(changes(workspaceId, { ensures: [row("notifications", notification)] }))
        const notified = (since: string) =>
          administer(200, "GET", `/notifications?workspace_id=${workspaceId}&since=${since}`)
        expect(yield* notified("2020-01-01")).toMatchObject([{ id: notification.id }])
        expect(yield* notified("2999-01-01")).toEqual([])
      })
    )
    it.effect("have a line for each request with a valid credential, whatever its result", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const caller = yield* newCaller({ scopes: ["contacts.read", "contacts.write"] })
        const ask = (method: string, path: string, token: string | null = caller.key) =>
          one(method, path, { token, ...(method === "POST" ? { json: {} } : {}) })
        const made = yield* post(one, caller, "/contacts", { email: "ada@example.org" }, "contact")
        const { id } = (made.json as { readonly data: { readonly id: string } }).data
        yield* ask("GET", `/api/v1/contacts/${id}`)
        yield* post(one, caller, "/contacts", { email: 7 }, "wrong")
        yield* ask("GET", "/api/v1/templates")
        yield* ask("GET", "/api/v1/nowhere")
        yield* ask("DELETE", "/api/v1/contacts")
        yield* ask("GET", "/api/v1/contacts", null)
        yield* ask("GET", "/api/v1/contacts", "parley_test_0123456789abcdefghijklmnopqrstuv")
        yield* administer(200, "PATCH", `/applications/${caller.applicationId}`, { status: "suspended" })
        const last = yield* ask("GET", "/api/v1/contacts")
        const lines = yield* logOf(caller.applicationId, 7)
        expect(lines.map(reported)).toEqual([
          ["POST", "/api/v1/contacts", 201, null],
          ["GET", `/api/v1/contacts/${id}`, 200, null],
          ["POST", "/api/v1/contacts", 422, "validation_failed"],
          ["GET", "/api/v1/templates", 403, "forbidden"],
          ["GET", "/api/v1/nowhere", 404, "not_found"],
          ["DELETE", "/api/v1/contacts", 405, "method_not_allowed"],
          ["GET", "/api/v1/contacts", 403, "account_suspended"]
        ])
        expect(lines[0]).toEqual({
          id: made.headers["x-request-id"],
          workspace_id: caller.workspaceId,
          application_id: caller.applicationId,
          method: "POST",
          path: "/api/v1/contacts",
          status: 201,
          duration_ms: expect.any(Number),
          error_code: null,
          created_at: time
        })
        expect(yield* administer(200, "GET", `/request-log/${made.headers["x-request-id"]}`)).toEqual(lines[0])
        expect(yield* administerInVain("GET", `/request-log/${unknownId}`)).toEqual([404, "not_found", {}])
        expect(lines.at(-1)?.id).toBe(last.headers["x-request-id"])
      })
    )

    it.effect("contain no credentials, bodies or queries", () =>
      Effect.gen(function* () {
        const { one, storage } = yield* Hosts
        const caller = yield* newCaller()
        const secret = "Xyzzy"
        const headers = { "idempotency-key": `key-${secret}`, "x-note": secret }
        yield* one("POST", `/api/v1/contacts?note=${secret}`, {
          token: caller.key,
          headers,
          json: { email: `${secret}@example.org`, first_name: secret, custom_fields: { [secret]: secret } }
        })
        yield* one("GET", `/api/v1/contacts?search=${secret}`, { token: caller.key })
        yield* one("GET", `/api/v1/contacts/${caller.key}`, { token: caller.key })
        yield* logOf(caller.applicationId, 3)
        const { applicationId } = caller
        const kept = JSON.stringify(
          yield* storage.list({ from: "requestLog", where: { applicationId }, after: null, limit: 100 })
        )
        expect(kept).not.toContain(secret)
        expect(kept).not.toContain(caller.key.slice(-20))
        expect(kept).toContain("/api/v1/contacts/***")
      })
    )

    it.effect("list requests by application, method and status", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const caller = yield* newCaller()
        const other = yield* newCaller({ workspaceId: caller.workspaceId })
        yield* one("GET", "/api/v1/channels", { token: other.key })
        for (const path of ["/channels", "/nowhere", `/contacts/${unknownId}`]) {
          yield* one("GET", `/api/v1${path}`, { token: caller.key })
        }
        yield* post(one, caller, "/contacts", {}, "empty")
        yield* logOf(other.applicationId, 1)
        yield* logOf(caller.applicationId, 4)
        const count = (query: string) =>
          Effect.map(
            administer(200, "GET", `/request-log?workspace_id=${caller.workspaceId}${query}`),
            ({ length }) => length
          )
        expect(yield* count("")).toBe(5)
        expect(yield* count(`&application_id=${other.applicationId}`)).toBe(1)
        expect(yield* count(`&application_id=${unknownId}`)).toBe(0)
        expect(yield* count("&method=POST")).toBe(1)
        expect(yield* count("&status=404")).toBe(2)
        expect(yield* count("&status=4xx")).toBe(3)
        expect(yield* count("&status=2xx&method=POST")).toBe(0)
        expect(yield* count("&limit=2")).toBe(2)
        const [newest] = yield* administer(200, "GET", `/request-log?workspace_id=${caller.workspaceId}`)
        const aroundIt = (ms: number) => new Date(Date.parse(newest.created_at) + ms).toISOString()
        expect(yield* count(`&since=${aroundIt(-60_000)}&status=404`)).toBe(2)
        expect(yield* count(`&since=${aroundIt(0)}`)).toBeGreaterThan(0)
        expect(yield* count(`&since=${aroundIt(1)}`)).toBe(0)
      })
    )

    it.effect("report all problems of a query at once", () =>
      Effect.gen(function* () {
        const wrong = yield* administerInVain(
          "GET",
          "/request-log?workspace_id=w&application_id=a&status=6xx&method=get&since=soon&limit=0&cursor=c"
        )
        expect(wrong).toEqual([
          422,
          "validation_failed",
          {
            workspace_id: ["must be a UUID"],
            application_id: ["must be a UUID"],
            status: ["must be an HTTP status such as 404, or a class of them such as 4xx"],
            method: ["must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS"],
            since: ["must be a date such as 2026-05-04 or a date-time such as 2026-05-04T08:30:00Z"],
            limit: ["must be a whole number from 1 to 100"],
            cursor: ["must be a cursor of this list"]
          }
        ])
        for (const path of [`/audit-log?action=${"a".repeat(101)}`, `/notifications?kind=${"a".repeat(101)}`]) {
          const [status, code] = yield* administerInVain("GET", path)
          expect([status, code]).toEqual([422, "validation_failed"])
        }
      })
    )

    it.effect("list changes with their actors", () =>
      Effect.gen(function* () {
        const { applicationId, workspaceId } = yield* newCaller()
        yield* administer(200, "PATCH", `/workspaces/${workspaceId}`, { status: "suspended" })
        const entries = yield* administer(200, "GET", `/audit-log?workspace_id=${workspaceId}`)
        expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual([
          "workspace.suspended",
          "api_key.issued",
          "application.created",
          "workspace.created"
        ])
        const [entry, ...others] = yield* administer(
          200,
          "GET",
          `/audit-log?application_id=${applicationId}&action=application.created`
        )
        expect(others).toEqual([])
        expect(entry).toEqual({
          id: entry.id,
          workspace_id: workspaceId,
          application_id: applicationId,
          actor: "admin",
          action: "application.created",
          subject_id: applicationId,
          created_at: time
        })
      })
    )

    it.effect("name the administrator of X-Actor", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const { id } = yield* administer(201, "POST", "/workspaces", { name: "Bakery" })
        const suspend = (status: string, actor: string) =>
          one("PATCH", `/admin/v1/workspaces/${id}`, {
            token: "admin-token",
            headers: { "x-actor": actor },
            json: { status }
          })
        expect((yield* suspend("suspended", "grace")).status).toBe(200)
        expect((yield* suspend("active", "")).status).toBe(200)
        expect((yield* suspend("suspended", "x".repeat(100))).status).toBe(200)
        for (const actor of ["x".repeat(101), "J\u00f6rg"]) {
          const { error, status } = yield* suspend("active", actor)
          expect([status, error?.code, Object.keys(error?.details ?? {})]).toEqual([400, "bad_request", ["X-Actor"]])
        }
        const entries = yield* administer(200, "GET", `/audit-log?workspace_id=${id}`)
        expect(
          entries.map((entry: { readonly actor: string; readonly action: string }) => [entry.actor, entry.action])
        ).toEqual([
          [`admin: ${"x".repeat(100)}`, "workspace.suspended"],
          ["admin", "workspace.activated"],
          ["admin: grace", "workspace.suspended"],
          ["admin", "workspace.created"]
        ])
      })
    )

    it.effect("list notifications to administrators", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const { applicationId, workspaceId } = yield* newCaller()
        const two = [
          aNotification({ id: idOf(1), workspaceId, applicationId }),
          aNotification({ id: idOf(2), workspaceId, applicationId: null, kind: "other" })
        ]
        yield* storage.commit(changes(workspaceId, { ensures: two.map((one) => row("notifications", one)) }))
        const ids = (query: string) =>
          Effect.map(administer(200, "GET", `/notifications?${query}`), (rows) =>
            rows.map(({ id }: { readonly id: string }) => id)
          )
        expect(yield* ids(`workspace_id=${workspaceId}`)).toEqual([idOf(2), idOf(1)])
        expect(yield* ids(`application_id=${applicationId}`)).toEqual([idOf(1)])
        expect(yield* ids(`workspace_id=${workspaceId}&kind=other`)).toEqual([idOf(2)])
      })
    )

    it.effect("list unknown events of a connection's vendor", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const { workspaceId } = yield* newCaller()
        const connection = aConnection({ id: idOf(11), workspaceId })
        const kept = (n: number, connectionId = connection.id) =>
          row("unknownEvents", anUnknownEvent({ id: idOf(n), workspaceId, connectionId, raw: `{"n":${n}}` }))
        const rows = [kept(12), kept(13), kept(14, idOf(15)), row("connections", connection)]
        yield* storage.commit(changes(workspaceId, { ensures: rows }))
        const path = `/connections/${connection.id}/unknown-events`
        const [newest, ...others] = yield* administer(200, "GET", path)
        expect(newest).toEqual({
          id: idOf(13),
          connection_id: connection.id,
          kind: "reaction",
          raw: '{"n":13}',
          created_at: new Date(someTime).toISOString()
        })
        expect(others).toMatchObject([{ id: idOf(12) }])
        expect(yield* administer(200, "GET", `${path}?limit=1`)).toHaveLength(1)
        expect(yield* administerInVain("GET", `/connections/${idOf(16)}/unknown-events`)).toEqual([
          404,
          "not_found",
          {}
        ])
      })
    )
  })
}
