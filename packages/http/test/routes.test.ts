import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { contact, contactId, token } from "./fakes.js"
import { serve } from "./serve.js"

const serving = serve({ getContact: (_caller, id) => Effect.succeed({ ...contact, id }) })

const statuses: ReadonlyArray<readonly [string, string, number]> = [
  ["GET", `/api/v1/contacts/${contactId}`, 200],
  ["GET", `/api/v1/contacts/${contactId}?unknown=1&unknown=2`, 200],
  ["GET", `/api/v1/contacts/${contactId.replace("-", "%2D")}`, 200],
  ["GET", `http://localhost/api/v1/contacts/${contactId}`, 200],
  ["GET", `/api/v1/contacts/${contactId}/`, 404],
  ["GET", `/api/v1//contacts/${contactId}`, 404],
  ["GET", `/api/v1/Contacts/${contactId}`, 404],
  ["GET", "/api/v1/contacts/", 404],
  ["GET", "/api/v1/contacts/1", 404],
  ["GET", "/api/v1/contacts/%", 404],
  ["GET", "/api/v1/contacts/%zz", 404],
  ["GET", "/api/v1/contacts/%ff", 404],
  ["GET", "/api/v1/contacts/__proto__", 404],
  ["GET", "/api/v1/constructor", 404],
  ["GET", "/api/v1", 404],
  ["GET", "/api/v2/contacts", 404],
  ["GET", "/unknown", 404],
  ["OPTIONS", "*", 404],
  ["FOO", "/api/v1/contacts", 400],
  ["GET", "/api/v1/messages", 405],
  ["HEAD", `/api/v1/contacts/${contactId}`, 200],
  ["HEAD", "/api/v1/messages", 405],
  ["OPTIONS", "/api/v1/contacts", 405]
]

for (const [method, target, status] of statuses) {
  it.scopedLive(`answers ${status} to ${method} ${target}`, () =>
    Effect.gen(function* () {
      const served = yield* serving
      const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
      const { text } = yield* served.raw(`${method} ${target} HTTP/1.1\r\n${headers}\r\n`)
      expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
      expect(text).toMatch(/\r\nx-request-id: .+\r\n/i)
    })
  )
}

it.scopedLive("names a prefix that was not removed from the path", () =>
  Effect.gen(function* () {
    const served = yield* serving
    const messageAt = (path: string) =>
      Effect.map(served.request("GET", path), ({ json, status }) => {
        expect(status).toBe(404)
        return json
      })
    const prefixed = {
      error: { message: expect.stringContaining("begins with /a/messaging, which has to be removed") }
    }
    expect(yield* messageAt("/a/messaging/api/v1/contacts")).toMatchObject(prefixed)
    expect(yield* messageAt("/a/messaging/api/v1/unknown")).toMatchObject(prefixed)
    const long = `/${"m".repeat(100)}`
    for (const path of [
      "/api/v1/unknown",
      "/messaging/contacts",
      "/messaging/api",
      "/messaging/v1/api",
      `${long}/api/v1/contacts`,
      "/%3Cb%3E/api/v1/contacts"
    ]) {
      expect(yield* messageAt(path)).not.toMatchObject({ error: { message: expect.stringContaining("removed") } })
    }
  })
)

it.scopedLive("accepts ids in any case", () =>
  Effect.gen(function* () {
    const served = yield* serving
    const answer = yield* served.request("GET", `/api/v1/contacts/${contactId.toUpperCase()}`)
    expect(answer.json).toMatchObject({ data: { id: contactId } })
  })
)

it.scopedLive("lists the methods of a path", () =>
  Effect.gen(function* () {
    const served = yield* serving
    const answers = yield* Effect.forEach(["/contacts", `/contacts/${contactId}`, "/messages"], (path) =>
      served.request("DELETE", `/api/v1${path}`)
    )
    expect(answers.map(({ headers }) => headers.allow)).toEqual(["POST, GET, HEAD", "GET, HEAD", "POST"])
  })
)

for (const [what, authorization, status] of [
  ["a scheme in any case", `bearer ${token}`, 200],
  ["several spaces", `Bearer   ${token}`, 200],
  ["another scheme", `Basic ${token}`, 401],
  ["no scheme", token, 401],
  ["two tokens", `Bearer ${token}, Bearer ${token}`, 401],
  ["no token", "Bearer", 401]
] as const) {
  it.scopedLive(`answers ${status} to an Authorization header with ${what}`, () =>
    Effect.gen(function* () {
      const served = yield* serving
      const path = `/api/v1/contacts/${contactId}`
      expect((yield* served.request("GET", path, { token: null, headers: { authorization } })).status).toBe(status)
    })
  )
}
