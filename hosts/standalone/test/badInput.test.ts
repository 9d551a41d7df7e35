import { Agent, type OutgoingHttpHeaders, request } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { post, secret, template, unreadable, wrong } from "./badBodies.js"
import { callAdmin, callApi, sendTemplate } from "./calls.js"
import { count } from "./count.js"
import { databases } from "./databases.js"
import { serveDemo, temporaryFolder } from "./processes.js"

interface Envelope {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: object
    readonly request_id: string
  }
}

/** Status, code and details of a refused call; checks its envelope and headers. */
const refusal = (demo: DemoFile, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const { body, headers, status } = await callApi<Envelope>(demo, path, init)
    const { code, details, message, request_id } = body.error
    expect(Object.keys(body)).toEqual(["error"])
    expect(headers.get("content-type")).toBe("application/json")
    expect(headers.get("x-request-id")).toBe(request_id)
    expect(headers.get("x-ratelimit-limit")).toMatch(/^[1-9]\d*$/)
    expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/)
    expect(message).toMatch(/\.$/)
    // The response must not repeat the input.
    expect(JSON.stringify(body)).not.toContain(secret)
    return [status, code, details] as const
  })

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057"

for (const [name, settingsOf] of databases) {
  describe(`bad input on ${name}`, () => {
    it.scopedLive(
      "is refused with every problem, without repeating the input, and stores nothing",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          const { demo } = yield* serveDemo(folder, settings)
          for (const [what, init, details] of unreadable) {
            expect(yield* refusal(demo, "/messages", init), what).toEqual([400, "bad_request", details])
          }
          for (const [what, path, body, problems] of wrong) {
            const [status, code, details] = yield* refusal(demo, path, post(body))
            expect([status, code], what).toEqual([422, "validation_failed"])
            expect(Object.keys(details).sort(), what).toEqual(problems)
            for (const message of Object.values(details))
              expect(message).toEqual([expect.stringMatching(/^(must|is) /)])
          }
          for (const id of [unknownId, "none", "%00", "%2e%2e", "__proto__", "%ff", "", `${unknownId}/`]) {
            for (const path of ["/messages", "/contacts"]) {
              expect(yield* refusal(demo, `${path}/${id}`)).toEqual([404, "not_found", {}])
            }
          }
          for (const table of ["messages", "contacts", "idempotency", "events", "jobs"]) {
            expect(yield* Effect.promise(() => count(folder, settings, table)), table).toBe(0)
          }
          // The key of the refused calls can be used again.
          expect((yield* Effect.promise(() => callApi(demo, "/messages", post(template)))).status).toBe(202)
        }),
      300_000
    )

    it.scopedLive(
      "does not reveal resources of other applications",
      () =>
        Effect.gen(function* () {
          const { demo } = yield* serveDemo(yield* temporaryFolder, yield* settingsOf)
          const admin = (method: string, path: string, body?: object) =>
            Effect.map(
              callAdmin(demo, method, path, body),
              (data) => data as { readonly id: string; readonly key: string }
            )
          /** Another application, in the form of a demo file. */
          const newcomer = Effect.fn(function* (workspace_id: string, connection_ids: ReadonlyArray<string>) {
            const scopes = ["messages.read", "messages.send", "templates.send", "contacts.read", "contacts.write"]
            const made = { workspace_id, name: "Other", mode: "test", scopes, connection_ids }
            const { id } = yield* admin("POST", "/applications", made)
            const { id: key_id, key } = yield* admin("POST", `/applications/${id}/api-keys`)
            return { ...demo, api_key: key, application_id: id, key_id }
          })
          const sent = yield* Effect.promise(() => sendTemplate(demo, template.to, "mine"))
          const { contact_id, message_id } = sent.body.data as typeof sent.body.data & { readonly contact_id: string }
          const neighbour = yield* newcomer(demo.workspace_id, Object.values(demo.connections))
          const workspace = yield* admin("POST", "/workspaces", { name: "Elsewhere" })
          const handle = "+15550100200"
          const connection = {
            workspace_id: workspace.id,
            channel: "whatsapp",
            provider: "sandbox",
            name: "Own",
            handle
          }
          const own = yield* admin("POST", "/connections", { ...connection, is_test: true })
          const stranger = yield* newcomer(workspace.id, [own.id])

          const hidden = [404, "not_found", {}]
          expect(yield* refusal(neighbour, `/messages/${message_id}`)).toEqual(hidden)
          expect(yield* refusal(stranger, `/messages/${message_id}`)).toEqual(hidden)
          expect(yield* refusal(stranger, `/contacts/${contact_id}`)).toEqual(hidden)
          const foreign = { ...template, connection_id: demo.connections.whatsapp }
          expect(yield* refusal(stranger, "/messages", post(foreign))).toEqual([
            422,
            "validation_failed",
            { "message.template": [expect.any(String)] }
          ])
          const text = { ...foreign, type: "text", message: { body: "Hi" } }
          const forbidden = [403, "forbidden", { channel: "whatsapp" }]
          expect(yield* refusal(stranger, "/messages", post(text))).toEqual(forbidden)
          expect(yield* refusal(stranger, "/messages", post({ ...text, connection_id: unknownId }))).toEqual(forbidden)
          // Keys are per application, so another one can use this key.
          const theirs = yield* Effect.promise(() => sendTemplate(neighbour, template.to, "mine"))
          expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([202, null])
          expect(theirs.body.data.message_id).not.toBe(message_id)

          const its = `/applications/${neighbour.application_id}`
          yield* admin("PATCH", its, { status: "suspended" })
          const suspended = [403, "account_suspended", {}]
          expect(yield* refusal(neighbour, `/contacts/${contact_id}`)).toEqual(suspended)
          expect(yield* refusal(neighbour, "/messages", post(template))).toEqual(suspended)
          yield* admin("PATCH", its, { status: "active" })
          const see = Effect.promise(() => callApi(neighbour, `/contacts/${contact_id}`))
          expect((yield* see).status).toBe(200)

          const workspaceIs = (status: string) => admin("PATCH", `/workspaces/${demo.workspace_id}`, { status })
          yield* workspaceIs("suspended")
          expect((yield* see).status).toBe(200)
          expect(yield* refusal(neighbour, "/messages", post(template))).toEqual([423, "workspace_suspended", {}])
          yield* workspaceIs("unavailable")
          expect(yield* refusal(neighbour, `/contacts/${contact_id}`)).toEqual([423, "workspace_unavailable", {}])
          yield* workspaceIs("active")

          const unauthenticated = [401, "unauthenticated", {}]
          yield* Effect.promise(() =>
            fetch(`${demo.base_url}/admin/v1${its}/api-keys/${neighbour.key_id}`, {
              method: "DELETE",
              headers: { authorization: `Bearer ${demo.admin_token}` }
            })
          )
          expect(yield* refusal(neighbour, `/contacts/${contact_id}`)).toEqual(unauthenticated)
          expect(yield* refusal({ ...demo, api_key: demo.admin_token }, "/messages", post(template))).toEqual(
            unauthenticated
          )
          expect((yield* Effect.promise(() => callApi(demo, `/messages/${message_id}`))).status).toBe(200)
        }),
      300_000
    )
  })
}

describe("a body of 5 MB", () => {
  it.scopedLive(
    "is refused without a reset, with and without a content length, and its connection stays usable",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* serveDemo(yield* temporaryFolder)
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
        const body = Buffer.from(JSON.stringify({ ...template, junk: "x".repeat(5_000_000) }))
        const send = (key: string, headers: OutgoingHttpHeaders) =>
          Effect.async<{
            readonly status: number | undefined
            readonly port: number | undefined
            readonly text: string
          }>((resume) => {
            const authorization = { authorization: `Bearer ${key}`, "content-type": "application/json" }
            request(`${demo.base_url}/api/v1/messages`, {
              agent,
              method: "POST",
              headers: { ...authorization, "idempotency-key": "large", ...headers }
            })
              .on("error", (error) => resume(Effect.die(error)))
              .on("response", (response) => {
                let text = ""
                const port = response.socket.localPort
                response.setEncoding("utf8").on("data", (chunk: string) => {
                  text += chunk
                })
                response.on("end", () => resume(Effect.succeed({ status: response.statusCode, port, text })))
              })
              .end(body)
          })
        const whole = yield* send(demo.api_key, { "content-length": body.length })
        expect(whole.status).toBe(413)
        expect(JSON.parse(whole.text).error.code).toBe("payload_too_large")
        const chunked = yield* send(demo.api_key, { "transfer-encoding": "chunked" })
        expect(chunked).toMatchObject({ status: 413, port: whole.port })
        const refused = yield* send("nobody", { "content-length": body.length })
        expect(refused).toMatchObject({ status: 401, port: whole.port })
        const again = yield* send(demo.api_key, { "content-length": body.length })
        expect(again).toMatchObject({ status: 413, port: whole.port })
      }),
    300_000
  )
})
