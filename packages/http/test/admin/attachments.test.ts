import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administer, adminToken, Hosts, hosts, newCaller, reported } from "../hosts.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const dataOf = ({ json }: { readonly json: unknown }) => (json as { readonly data: any }).data

const upload = (
  query: string,
  body: string | Uint8Array = "Dear Ada",
  headers: { readonly [name: string]: string } = {}
) =>
  Effect.flatMap(Hosts, ({ one }) =>
    one("POST", `/admin/v1/attachments${query}`, {
      token: adminToken,
      headers: { "content-type": "text/plain", ...headers },
      body
    })
  )
const request = (token: string, method: string, path: string, json?: object) =>
  Effect.flatMap(Hosts, ({ other }) =>
    other(method, path, {
      token,
      headers: { "idempotency-key": crypto.randomUUID() },
      ...(json === undefined ? {} : { json })
    })
  )

/** A workspace with a customer who wrote by email. */
const newDesk = Effect.gen(function* () {
  const caller = yield* newCaller({ email: true })
  const [connection] = yield* administer(200, "GET", `/connections?workspace_id=${caller.workspaceId}`)
  const mail = { from: "ada@example.org", body: "Hello" }
  const { conversation_id } = yield* administer(201, "POST", `/connections/${connection.id}/simulate-inbound`, mail)
  return { caller, workspaceId: caller.workspaceId, conversationId: conversation_id as string }
})

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`POST /admin/v1/attachments on ${name}`, (it) => {
    it.effect("stores a file that agents reply with and that is read by applications", () =>
      Effect.gen(function* () {
        const { caller, conversationId, workspaceId } = yield* newDesk
        // The helper of these tests reads JSON.
        const text = '"Dear Ada"'
        const answer = yield* upload(`?workspace_id=${workspaceId}&file_name=letter.txt`, text)
        const data = dataOf(answer)
        expect([answer.status, data]).toEqual([
          201,
          {
            ...{ id: data.id, type: "document", content_type: "text/plain", file_name: "letter.txt", size: 10 },
            ...{ expires_at: time, created_at: time }
          }
        ])
        expect(yield* administer(200, "GET", `/attachments/${data.id}`)).toEqual(data)
        const { id } = yield* administer(202, "POST", `/conversations/${conversationId}/messages`, {
          ...{ type: "media", body: "As promised", attachments: [{ attachment_id: data.id }] }
        })
        const message = dataOf(yield* request(caller.key, "GET", `/api/v1/messages/${id}`))
        expect(message).toMatchObject({ type: "media", origin: "agent", body: "As promised" })
        const [file] = message.attachments
        expect(file).toMatchObject({ type: "document", content_type: "text/plain", file_name: "letter.txt", size: 10 })
        const { pathname, search } = new URL(file.url)
        const { one } = yield* Hosts
        const read = yield* one("GET", `${pathname}${search}`, { token: null })
        expect([read.status, read.text]).toEqual([200, text])
      })
    )
    it.effect("keeps the files of administrators and of applications apart", () =>
      Effect.gen(function* () {
        const { caller, conversationId, workspaceId } = yield* newDesk
        const ours = dataOf(yield* upload(`?workspace_id=${workspaceId}`))
        const { one } = yield* Hosts
        const theirs = dataOf(
          yield* one("POST", "/api/v1/attachments", {
            token: caller.key,
            headers: { "content-type": "text/plain", "idempotency-key": "theirs" },
            body: "Dear Ada"
          })
        )
        expect((yield* request(caller.key, "GET", `/api/v1/attachments/${ours.id}`)).status).toBe(404)
        expect((yield* request(adminToken, "GET", `/admin/v1/attachments/${theirs.id}`)).status).toBe(404)
        const files = (attachment_id: string) => ({ attachments: [{ attachment_id }] })
        const reply = (id: string) =>
          Effect.map(
            request(adminToken, "POST", `/admin/v1/conversations/${conversationId}/messages`, {
              ...{ type: "media", ...files(id) }
            }),
            (answer) => Object.keys(answer.error?.details ?? {})
          )
        const elsewhere = dataOf(yield* upload(`?workspace_id=${(yield* newCaller()).workspaceId}`))
        for (const id of [theirs.id, elsewhere.id, unknownId]) {
          expect(yield* reply(id)).toEqual(["attachments.0.attachment_id"])
        }
        const sent = yield* request(caller.key, "POST", "/api/v1/messages", {
          ...{ channel: "email", to: "ada@example.org", type: "media", message: files(ours.id) }
        })
        expect(Object.keys(sent.error?.details ?? {})).toEqual(["message.attachments.0.attachment_id"])
      })
    )
    it.effect("stores a repeated request once, and refuses other bytes under its key", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* newDesk
        const query = `?workspace_id=${workspaceId}`
        const headers = { "idempotency-key": workspaceId }
        const first = yield* upload(query, "Dear Ada", headers)
        const again = yield* upload(query, "Dear Ada", headers)
        expect(again.json).toEqual(first.json)
        expect(again.headers["idempotency-replayed"]).toBe("true")
        const [status, code] = reported(yield* upload(query, "Dear Bob", headers))
        expect([status, code]).toEqual([409, "idempotency_conflict"])
        // A key of another endpoint of the administration.
        const { one } = yield* Hosts
        const team = yield* one("POST", "/admin/v1/teams", {
          ...{ token: adminToken, headers, json: { workspace_id: workspaceId, name: "Desk" } }
        })
        expect(team.status).toBe(409)
        expect(dataOf(yield* upload(query)).id).not.toBe(dataOf(yield* upload(query)).id)
        const { storage } = yield* Hosts
        const where = { applicationId: workspaceId }
        expect(yield* storage.list({ from: "uploads", where, after: null, limit: 10 })).toHaveLength(3)
      })
    )
    it.effect("refuses an unknown workspace, a suspended one, and files that lie", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* newDesk
        const details = (message: string) => [422, "validation_failed", { workspace_id: [message] }]
        expect(reported(yield* upload(""))).toEqual(details("is required"))
        expect(reported(yield* upload("?workspace_id=1"))).toEqual(details("must be a UUID"))
        expect(reported(yield* upload(`?workspace_id=${unknownId}`))).toEqual(details("must be the id of a workspace"))
        const query = `?workspace_id=${workspaceId}`
        expect(reported(yield* upload(query, "plain words", { "content-type": "image/png" }))).toEqual([
          ...[422, "validation_failed"],
          { file: ["is declared as image/png, but its bytes are application/octet-stream"] }
        ])
        yield* administer(200, "PATCH", `/workspaces/${workspaceId}`, { status: "suspended" })
        expect(reported(yield* upload(query))).toEqual([423, "workspace_suspended", {}])
        const { one } = yield* Hosts
        const anonymous = yield* one("POST", `/admin/v1/attachments${query}`, { token: null, body: "Dear Ada" })
        expect(anonymous.status).toBe(401)
      })
    )
  })
}
