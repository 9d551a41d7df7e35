import { expect, it } from "@effect/vitest"
import type { Idempotency } from "@parley/core"
import { Effect, Either } from "effect"
import type { Incoming } from "../src/server/Incoming.js"
import { idempotencyOf } from "../src/server/idempotencyOf.js"
import type { Operation } from "../src/server/Operation.js"
import { token } from "./fakes.js"
import { type RequestOptions, serve } from "./serve.js"

/** A server that records idempotency. */
const keeping = Effect.gen(function* () {
  const given: Array<Idempotency> = []
  const keep = (idempotency: Idempotency) => {
    given.push(idempotency)
    return Effect.succeed({ status: 201, body: `{"data":{}}`, replayed: false })
  }
  const served = yield* serve({
    createContact: (_caller, command) => keep(command.idempotency),
    sendMessage: (_caller, command) => keep(command.idempotency)
  })
  const post = (options: RequestOptions, path = "/api/v1/contacts") =>
    served.request("POST", path, { json: {}, ...options })
  return { served, given, post }
})
const keyed = (key: string) => ({ headers: { "idempotency-key": key } })

for (const [what, headers, message] of [
  ["no key", {}, "is required"],
  ["an empty key", { "idempotency-key": "" }, "must not be empty"],
  ["a blank key", { "idempotency-key": "   " }, "must not be empty"],
  ["a key of 256 characters", { "idempotency-key": "k".repeat(256) }, "must be at most 255 characters"]
] as const) {
  it.scopedLive(`rejects ${what}`, () =>
    Effect.gen(function* () {
      const { given, post } = yield* keeping
      const answer = yield* post({ headers })
      expect([answer.status, answer.error?.code]).toEqual([400, "bad_request"])
      expect(answer.error?.details).toEqual({ "Idempotency-Key": [message] })
      expect(given).toEqual([])
    })
  )
}

it.scopedLive("accepts a key of 255 characters", () =>
  Effect.gen(function* () {
    const { given, post } = yield* keeping
    expect((yield* post(keyed("k".repeat(255)))).status).toBe(201)
    expect(given.map(({ key }) => key)).toEqual(["k".repeat(255)])
  })
)

it.scopedLive("refuses a repeated key", () =>
  Effect.gen(function* () {
    const { served, given } = yield* keeping
    const request = [
      "POST /api/v1/contacts HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Idempotency-Key: a",
      "Idempotency-Key: b",
      "Content-Length: 2",
      "Connection: close",
      "",
      "{}"
    ].join("\r\n")
    expect((yield* served.raw(request)).text).toMatch(/^HTTP\/1\.1 400/)
    expect(given).toEqual([])
  })
)

it.scopedLive("fingerprints method, path and parsed body, but not formatting or query", () =>
  Effect.gen(function* () {
    const { given, post } = yield* keeping
    const same = { ...keyed("k"), body: `{"email":"a@b.c","tags":["x","y"]}` }
    yield* post(same)
    yield* post({ ...same, body: `{ "tags" : ["x","\\u0079"],\n "email":"a@b.c" }` })
    yield* post(same, "/api/v1/contacts?trace=1")
    yield* post({ ...same, body: `{"email":"a@b.c","tags":["y","x"]}` })
    yield* post(same, "/api/v1/messages")
    const [first, respelled, queried, reordered, elsewhere] = given.map(({ fingerprint }) => fingerprint)
    expect(respelled).toBe(first)
    expect(queried).toBe(first)
    expect(new Set([first, reordered, elsewhere]).size).toBe(3)
  })
)

it("computes the fingerprint when it is used", () => {
  let reads = 0
  const body = {
    get email() {
      reads++
      return "a@b.c"
    }
  }
  const operation = { idempotencyKey: "required", method: "POST" } as Operation
  const incoming = { headers: { "idempotency-key": "k" } } as unknown as Incoming
  const idempotency = Either.getOrThrow(idempotencyOf(operation, incoming, "/api/v1/contacts", body))
  expect(reads).toBe(0)
  const first = idempotency?.fingerprint
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect([idempotency?.fingerprint, reads]).toEqual([first, 1])
})
