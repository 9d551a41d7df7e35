import { expect, it } from "@effect/vitest"
import { type ContactInput, invalid, type PartialDecode } from "@parley/core"
import { Effect, FastCheck as fc } from "effect"
import { maxKeys, maxValues } from "../src/server/jsonBody.js"
import { type Fakes, token } from "./fakes.js"
import { type Served, serve } from "./serve.js"

const limit = 1_048_576
const created = { status: 201, body: `{"data":{}}`, replayed: false }
const accepting: Partial<Fakes> = {
  createContact: (_caller, { decoded }) =>
    Object.keys(decoded.problems).length === 0 ? Effect.succeed(created) : Effect.fail(invalid(decoded.problems))
}
const post = (served: Served, body: string | Uint8Array, headers: { readonly [name: string]: string } = {}) =>
  served.request("POST", "/api/v1/contacts", { body, headers: { "idempotency-key": "k", ...headers } })

const head = (lines: ReadonlyArray<string>, bearer = token) =>
  [
    "POST /api/v1/contacts HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${bearer}`,
    "Content-Type: application/json",
    "Idempotency-Key: k",
    ...lines,
    "",
    ""
  ].join("\r\n")
const megabytes = (count: number) => "x".repeat(count * 1_048_576)
const chunked = (text: string) => {
  const size = 65_536
  const chunks: Array<string> = []
  for (let at = 0; at < text.length; at += size) {
    const chunk = text.slice(at, at + size)
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  }
  return `${chunks.join("")}0\r\n\r\n`
}
const nextRequest = `GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

it.scopedLive("accepts a body of exactly 1 MiB and rejects one byte more", () =>
  Effect.gen(function* () {
    const served = yield* serve(accepting)
    const padded = (bytes: number) => `{"ignored":"${"x".repeat(bytes - 14)}"}`
    expect((yield* post(served, padded(limit))).status).toBe(201)
    expect((yield* post(served, padded(limit + 1))).status).toBe(413)
  })
)

it.scopedLive("counts bytes, not characters", () =>
  Effect.gen(function* () {
    const served = yield* serve(accepting)
    expect((yield* post(served, `{"ignored":"${"é".repeat(limit / 2)}"}`)).status).toBe(413)
  })
)

for (const [how, request] of [
  ["with a content length", `${head([`Content-Length: ${5 * 1_048_576}`])}${megabytes(5)}`],
  ["in chunks", `${head(["Transfer-Encoding: chunked"])}${chunked(megabytes(5))}`]
] as const) {
  it.scopedLive(`answers 413 to 5 MB ${how}, and keeps the connection`, () =>
    Effect.gen(function* () {
      const served = yield* serve()
      const answer = yield* served.raw(request + nextRequest)
      expect(answer.failure).toBeNull()
      expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 404"])
      expect(answer.text).toContain(`"code":"payload_too_large"`)
    })
  )
}

it.scopedLive("answers 401 to 5 MB before reading them, and keeps the connection", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const large = `${head([`Content-Length: ${5 * 1_048_576}`], "wrong")}${megabytes(5)}`
    const answer = yield* served.raw(large + nextRequest)
    expect(answer.failure).toBeNull()
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 404"])
  })
)

it.scopedLive("answers 413 to an endless body, and closes the connection", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const answer = yield* served.raw(`${head(["Transfer-Encoding: chunked"])}${chunked(megabytes(34))}`, (text) =>
      text.includes("payload_too_large")
    )
    expect(answer.text).toMatch(/^HTTP\/1\.1 413/)
    expect(answer.text.toLowerCase()).toContain("connection: close")
  })
)

for (const type of [
  "application/json",
  "Application/JSON",
  "application/json; charset=utf-8",
  "application/json ;x=y"
]) {
  it.scopedLive(`accepts ${type}`, () =>
    Effect.gen(function* () {
      const served = yield* serve(accepting)
      expect((yield* post(served, "{}", { "content-type": type })).status).toBe(201)
    })
  )
}

for (const type of ["text/plain", "application/jsonp", "application/vnd.api+json", "multipart/form-data", "json", ""]) {
  it.scopedLive(`rejects the content type "${type}"`, () =>
    Effect.gen(function* () {
      const served = yield* serve(accepting)
      const answer = yield* post(served, "{}", { "content-type": type })
      expect([answer.status, answer.error?.code]).toEqual([400, "bad_request"])
    })
  )
}

/** A body with this many nested objects. */
const nested = (objects: number, inside: string) =>
  `{"custom_fields":${`{"a":`.repeat(objects)}${inside}${"}".repeat(objects)}}`
const malformed: ReadonlyArray<readonly [string, string | Uint8Array]> = [
  ["nothing", ""],
  ["half an object", "{"],
  ["a trailing comma", `{"a":1,}`],
  ["single quotes", `{'a':1}`],
  ["two objects", "{}{}"],
  ["a list", "[]"],
  ["a string", `"{}"`],
  ["a number", "1"],
  ["null", "null"],
  ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["an overlong encoding", new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  ["500,000 levels", `{"a":${"[".repeat(500_000)}`]
]

for (const [what, body] of malformed) {
  it.scopedLive(`answers 400 to a body with ${what}`, () =>
    Effect.gen(function* () {
      const served = yield* serve()
      const answer = yield* post(served, body)
      expect([answer.status, answer.error?.code, answer.error?.details]).toEqual([400, "bad_request", {}])
    })
  )
}

for (const [objects, inside, handed] of [
  [99, "7", nested(99, "7")],
  [100, "7", nested(99, "null")],
  [150_000, "[[]]", nested(99, "null")],
  // Not even its syntax is looked at.
  [150_000, "[1 2]", nested(99, "null")]
] as const) {
  it.scopedLive(`accepts a body of ${objects + 1} levels, and passes on at most 100 of them`, () => {
    let given: unknown
    return Effect.gen(function* () {
      const served = yield* serve({
        createContact: (_caller, { decoded }) => {
          given = decoded.value.customFields
          return Effect.succeed(created)
        }
      })
      expect((yield* post(served, nested(objects, inside))).status).toBe(201)
      expect(JSON.stringify({ custom_fields: given })).toBe(handed)
    })
  })
}

/** A body of this many values, most of them in one list. */
const listed = (field: string, values: number) => `{"${field}":[${"1,".repeat(values - 3)}1]}`
/** A body of this many keys, most of them in one object. */
const keyed = (field: string, keys: number) =>
  `{"${field}":{${Array.from({ length: keys - 1 }, (_, index) => `"k${index}":1`).join(",")}}}`

for (const field of ["ignored", "tags", "custom_fields"]) {
  it.scopedLive(`answers 400 to a body with more values or keys in ${field} than the limits`, () =>
    Effect.gen(function* () {
      const served = yield* serve({
        createContact: (_caller, { decoded }) => Effect.as(Effect.succeed(decoded), created)
      })
      for (const allowed of [listed(field, maxValues), keyed(field, maxKeys)]) {
        expect((yield* post(served, allowed)).status).toBe(201)
      }
      for (const large of [listed(field, maxValues + 1), keyed(field, maxKeys + 1)]) {
        const answer = yield* post(served, large)
        expect([answer.status, answer.error?.code]).toEqual([400, "bad_request"])
        expect(answer.error?.message).toMatch(/^The body must have at most \d+ (values|keys)\.$/)
      }
    })
  )
}

it.scopedLive("passes on the valid fields and the problems of the others", () => {
  let given: PartialDecode<ContactInput> | undefined
  return Effect.gen(function* () {
    const served = yield* serve({
      createContact: (_caller, { decoded }) => {
        given = decoded
        return Effect.succeed(created)
      }
    })
    yield* post(served, JSON.stringify({ first_name: "Ada", email: 7, unknown: true }))
    expect(given?.value.firstName).toBe("Ada")
    expect(given?.value).not.toHaveProperty("email")
    expect(given?.problems).toEqual({ email: ["must be a string"] })
  })
})

it.scopedLive("drops the request of a client that disconnects during its body, and serves the next", () => {
  let called = 0
  return Effect.gen(function* () {
    const served = yield* serve({
      createContact: () => {
        called += 1
        return Effect.succeed(created)
      }
    })
    const gone = new Promise<void>((resolve) => {
      served.server.once("request", (request) => request.once("close", resolve))
    })
    yield* Effect.fork(served.raw(`${head(["Content-Length: 1000"])}{"first_name":`)).pipe(
      Effect.zipRight(Effect.promise(() => new Promise((resolve) => served.server.once("request", resolve)))),
      Effect.zipRight(Effect.sync(() => served.server.closeAllConnections())),
      Effect.zipRight(Effect.promise(() => gone))
    )
    expect(called).toBe(0)
    expect((yield* post(served, "{}")).status).toBe(201)
    expect(called).toBe(1)
  })
})

it.scopedLive("never answers 500 to random bodies", () =>
  Effect.gen(function* () {
    const served = yield* serve({
      ...accepting,
      sendMessage: (_caller, { decoded }) => Effect.fail(invalid(decoded.problems))
    })
    const keys = ["first_name", "tags", "identities", "custom_fields", "message", "to", "__proto__", "constructor"]
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.json({ depthSize: "medium" }),
      fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()).map((value) => JSON.stringify(value))
    )
    const path = fc.constantFrom("/api/v1/contacts", "/api/v1/messages")
    const property = fc.asyncProperty(path, body, async (path, body) => {
      const headers = { "idempotency-key": "k" }
      const answer = await Effect.runPromise(served.request("POST", path, { body, headers }))
      expect([201, 400, 422]).toContain(answer.status)
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: 150 }))
  })
)
