import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { contact, contactId, token } from "./fakes.js"
import { serve } from "./serve.js"

const path = `/api/v1/contacts/${contactId}`
const inbound = "/inbound/0190a1b2-0000-7000-8000-0000000000a1"
const authorization = `Host: x\r\nAuthorization: Bearer ${token}\r\n`
const getContact = () => Effect.succeed(contact)
const createContact = () => Effect.succeed({ status: 201, body: "{}", replayed: false })

/** Status, headers and body of one response. */
const parsed = (text: string) => {
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const [status = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => line.split(": ", 2)).map(([name = "", value]) => [name.toLowerCase(), value])
  )
  return { status: Number(status.split(" ")[1]), headers, body }
}

describe("HEAD", () => {
  for (const target of [path, "/api/v1/openapi.json", "/api/v1/docs"]) {
    it.scopedLive(`answers ${target} as GET does, without the body`, () =>
      Effect.gen(function* () {
        const served = yield* serve({ getContact })
        const ask = (method: string) =>
          Effect.map(
            served.raw(`${method} ${target} HTTP/1.1\r\n${authorization}Connection: close\r\n\r\n`),
            ({ text }) => parsed(text)
          )
        const [get, head] = [yield* ask("GET"), yield* ask("HEAD")]
        expect([get.status, head.status]).toEqual([200, 200])
        expect(head.headers["content-length"]).toBe(get.headers["content-length"])
        expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers))
        expect(get.body).not.toBe("")
        expect(head.body).toBe("")
      })
    )
  }

  it.scopedLive("is in Allow beside GET, and 405 where there is no GET", () =>
    Effect.gen(function* () {
      const served = yield* serve()
      expect((yield* served.request("DELETE", path)).headers.allow).toBe("GET, HEAD")
      const head = yield* served.request("HEAD", "/api/v1/events")
      expect([head.status, head.headers.allow]).toEqual([405, "POST"])
    })
  )
})

describe("a request that does not arrive in time", () => {
  const timeouts = { headersMs: 300, requestMs: 600, checkEveryMs: 50 }

  for (const [what, text] of [
    ["with unfinished headers", "GET / HTTP/1.1\r\nHost: x\r\n"],
    ["with an unfinished body", `POST /api/v1/contacts HTTP/1.1\r\n${authorization}Content-Length: 5\r\n\r\n{`],
    ["with an unfinished body of a vendor", `POST ${inbound} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{`]
  ] as const) {
    it.scopedLive(`gets 408: one ${what}`, () =>
      Effect.gen(function* () {
        const hook = { methods: null, bodyLimit: 10, answer: () => Effect.die("called") }
        const served = yield* serve({ createContact, hookAt: () => Effect.succeed(hook) }, { timeouts })
        const answer = yield* served.raw(text)
        expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1)
        const { body, headers, status } = parsed(answer.text)
        expect(status).toBe(408)
        expect(JSON.parse(body).error).toMatchObject({ code: "bad_request", request_id: headers["x-request-id"] })
        expect(headers.connection).toBe("close")
        expect(served.takenFrom.get("address:127.0.0.1")).toBe(1)
      })
    )
  }

  it.scopedLive("gets no response if it sent nothing, and does not count", () =>
    Effect.gen(function* () {
      const served = yield* serve({}, { timeouts })
      expect(yield* served.raw("")).toEqual({ text: "", failure: null })
      expect([...served.takenFrom]).toEqual([])
    })
  )

  it.scopedLive("gets no second response if it was answered before its body came", () =>
    Effect.gen(function* () {
      const served = yield* serve({}, { timeouts })
      const { text } = yield* served.raw(`POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{`)
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"])
    })
  )

  it.scopedLive("does not end a request that takes longer to answer", () =>
    Effect.gen(function* () {
      const slow = { getContact: () => Effect.delay(Effect.succeed(contact), 1_500) }
      const served = yield* serve(slow, { timeouts })
      expect((yield* served.request("GET", path)).status).toBe(200)
    })
  )
})

describe("a header that is sent twice", () => {
  it.scopedLive("is 400 for Authorization, whatever the values", () =>
    Effect.gen(function* () {
      const served = yield* serve({ getContact })
      for (const other of [token, "another"]) {
        const { text } = yield* served.raw(
          `GET ${path} HTTP/1.1\r\n${authorization}authorization: Bearer ${other}\r\nConnection: close\r\n\r\n`
        )
        const { body, status } = parsed(text)
        expect(status).toBe(400)
        expect(JSON.parse(body).error).toMatchObject({
          code: "bad_request",
          details: { Authorization: ["must be given once"] }
        })
      }
      expect([...served.takenFrom]).toEqual([["address:127.0.0.1", 2]])
    })
  )

  it.scopedLive("is 400 for Idempotency-Key", () =>
    Effect.gen(function* () {
      const served = yield* serve({ createContact })
      const post = (keys: string) =>
        Effect.map(
          served.raw(
            `POST /api/v1/contacts HTTP/1.1\r\n${authorization}${keys}Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
          ),
          ({ text }) => parsed(text)
        )
      expect((yield* post("Idempotency-Key: a\r\n")).status).toBe(201)
      const { body, status } = yield* post("Idempotency-Key: a\r\nidempotency-key: b\r\n")
      expect(status).toBe(400)
      expect(JSON.parse(body).error.details).toEqual({ "Idempotency-Key": ["must be given once"] })
    })
  )
})

describe("Expect: 100-continue", () => {
  const head = (bytes: number, credential = authorization, target = "/api/v1/contacts") =>
    `POST ${target} HTTP/1.1\r\n${credential}Idempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`

  it.scopedLive("is refused with 413 before the body if the body is too large", () =>
    Effect.gen(function* () {
      const served = yield* serve({ createContact })
      const { text } = yield* served.raw(head(1_048_577))
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"])
      expect(parsed(text).headers.connection).toBe("close")
    })
  )

  it.scopedLive("is refused by the limit of a provider", () =>
    Effect.gen(function* () {
      const hook = { methods: null, bodyLimit: 10, answer: () => Effect.die("called") }
      const served = yield* serve({ hookAt: () => Effect.succeed(hook) })
      const { text } = yield* served.raw(head(11, "Host: x\r\n", inbound))
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"])
    })
  )

  it.scopedLive("is refused with 401 before the body", () =>
    Effect.gen(function* () {
      const served = yield* serve()
      const { text } = yield* served.raw(head(2, "Host: x\r\n"))
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"])
    })
  )

  it.scopedLive("is answered with 100 if the body is read", () =>
    Effect.gen(function* () {
      const served = yield* serve({ createContact })
      const { text } = yield* served.raw(`${head(2)}{}`, (answer) => answer.includes("HTTP/1.1 201"))
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 201"])
    })
  )
})
