import { createServer, IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Logger, Option, Stream } from "effect"
import { nodeListener } from "../src/index.js"
import { contact, contactId, token } from "./fakes.js"
import { listening, requestTo, serve } from "./serve.js"

const unreadable: ReadonlyArray<readonly [string, string]> = [
  ["bytes that are not HTTP", "hello\r\n\r\n"],
  ["a header without a colon", "GET / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n"],
  ["a missing Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"],
  ["an unknown version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
  ["headers over the limit", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
  ["two content lengths", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"]
]

for (const [what, request] of unreadable) {
  it.scopedLive(`answers 400 to ${what}, in the envelope`, () =>
    Effect.gen(function* () {
      const served = yield* serve()
      const { text, failure } = yield* served.raw(request)
      expect(failure).toBeNull()
      const [head = "", body = ""] = text.split("\r\n\r\n")
      expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      const headers = new Map(
        head
          .split("\r\n")
          .slice(1)
          .map((line) => line.split(": ", 2) as [string, string])
      )
      const { error } = JSON.parse(body)
      expect(error.code).toBe("bad_request")
      expect(error.request_id).toBe(headers.get("x-request-id"))
      expect(headers.get("x-ratelimit-limit")).toBe("600")
      expect(headers.get("x-ratelimit-remaining")).toBe("599")
      expect(headers.get("content-length")).toBe(String(Buffer.byteLength(body)))
      expect([...served.takenFrom]).toEqual([["address:127.0.0.1", 1]])
    })
  )
}

it.scopedLive("answers 400 to invalid chunks", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const { text } = yield* served.raw(
      `POST /api/v1/contacts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`
    )
    expect(text).toMatch(/^HTTP\/1\.1 400/)
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
)

it.scopedLive("serves a request with an Expect header", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const { text } = yield* served.raw(
      "GET /unknown HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n"
    )
    expect(text).toMatch(/^HTTP\/1\.1 404/)
  })
)

it.scopedLive("answers unreadable requests while the storage is down", () =>
  Effect.gen(function* () {
    const served = yield* serve({ storageIsDown: true })
    const { text } = yield* served.raw("hello\r\n\r\n")
    expect(text).toMatch(/^HTTP\/1\.1 400/)
    expect(text).toContain("x-ratelimit-remaining: 0")
  })
)

it.scopedLive("answers an unreadable request whose client goes on sending, and does not reset the connection", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const { failure, text } = yield* served.raw(`GET / HTTP/1.1\r\nX: ${"\0".repeat(1_000_000)}\r\n\r\n`)
    expect([failure, text.slice(0, 12)]).toEqual([null, "HTTP/1.1 400"])
  })
)

it.scopedLive("answers a request in progress before the garbage behind it", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const served = yield* serve({
      getContact: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.as(Deferred.await(release), contact))
    })
    const path = `/api/v1/contacts/${contactId}`
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const refused = yield* Effect.async<void>((resume) => {
      served.server.once("clientError", () => resume(Effect.void))
    }).pipe(Effect.fork)
    const client = yield* Effect.fork(served.raw(`${request}garbage\r\n\r\n`))
    yield* Deferred.await(begun)
    yield* Fiber.join(refused)
    yield* Deferred.succeed(release, undefined)
    const { text } = yield* Fiber.join(client)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"])
    expect((yield* served.request("GET", path)).status).toBe(200)
  })
)

it.scopedLive("serves below a prefix that its host strips from the url", () =>
  Effect.gen(function* () {
    const served = yield* serve({ getContact: () => Effect.succeed(contact) })
    const [listener] = served.server.listeners("request") as Array<(...given: Array<unknown>) => void>
    served.server.removeAllListeners("request")
    served.server.on("request", (request, response) => {
      request.url = request.url?.replace(/^\/messaging/, "")
      listener?.(request, response)
    })
    expect((yield* served.request("GET", `/messaging/api/v1/contacts/${contactId}`)).status).toBe(200)
  })
)

it.scopedLive("reports that another parser has consumed the body", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const [listener] = served.server.listeners("request") as Array<(...given: Array<unknown>) => void>
    served.server.removeAllListeners("request")
    served.server.on("request", (request, response) => {
      request.resume().on("end", () => setImmediate(() => listener?.(request, response)))
    })
    const answer = yield* served.request("POST", "/api/v1/contacts", { json: {}, headers: { "idempotency-key": "k" } })
    expect([answer.status, answer.error?.code]).toEqual([500, "internal_error"])
  }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
)

/** Calls, waits until the handler has begun, and disconnects. */
const abandon = (method: "GET" | "POST") =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
    const work = Deferred.succeed(begun, undefined).pipe(
      Effect.zipRight(Deferred.await(release)),
      Effect.onExit((exit) => Deferred.succeed(ended, exit))
    )
    const served = yield* serve({
      getContact: () => Effect.as(work, contact),
      createContact: () => Effect.as(work, { status: 201, body: "{}", replayed: false })
    })
    const closed = Effect.promise(
      () =>
        new Promise<void>((resolve) => served.server.once("request", (_, response) => response.once("close", resolve)))
    )
    const client = yield* Effect.fork(
      method === "GET"
        ? served.request("GET", `/api/v1/contacts/${contactId}`)
        : served.request("POST", "/api/v1/contacts", { json: {}, headers: { "idempotency-key": "k" } })
    )
    const gone = yield* Effect.fork(closed)
    yield* Deferred.await(begun)
    served.server.closeAllConnections()
    yield* Fiber.join(gone)
    yield* Fiber.interrupt(client)
    return { release: Deferred.succeed(release, undefined), ended }
  })

it.scopedLive("interrupts a read when the client disconnects", () =>
  Effect.gen(function* () {
    const { ended } = yield* abandon("GET")
    expect(Exit.isInterrupted(yield* Deferred.await(ended))).toBe(true)
  })
)

it.scopedLive("finishes a write after the client disconnects", () =>
  Effect.gen(function* () {
    const { ended, release } = yield* abandon("POST")
    expect(Option.isNone(yield* Deferred.poll(ended))).toBe(true)
    yield* release
    expect(Exit.isSuccess(yield* Deferred.await(ended))).toBe(true)
  })
)

/** Passes a request to a listener after its client has left, as servers with slow middleware do. */
const abandonFirst = (method: "GET" | "POST") =>
  Effect.gen(function* () {
    const steps: Array<string> = []
    const body = Stream.fromEffect(
      Effect.sync(() => {
        steps.push("read")
        return new Uint8Array()
      })
    )
    const listener = yield* nodeListener({
      answer: () =>
        Effect.sync(() => {
          steps.push("answered")
          return { status: 200, headers: {}, body }
        }),
      answerUnreadable: () => Effect.die("unused"),
      answerTimeout: () => Effect.die("unused")
    })
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url: "/",
      headers: { host: "localhost" }
    })
    const response = new ServerResponse(request)
    response.destroy()
    listener(request, response)
    yield* Effect.sleep(20)
    return steps
  })

it.live("does not answer a read whose client has left already", () =>
  Effect.gen(function* () {
    expect(yield* abandonFirst("GET")).toEqual([])
  })
)

it.live("does not open the stream of a response whose client has left", () =>
  Effect.gen(function* () {
    expect(yield* abandonFirst("POST")).toEqual(["answered"])
  })
)

it.scopedLive("leaves a response that another handler of the server has ended", () =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<void>()
    const listener = yield* nodeListener({
      answer: ({ url }) =>
        Effect.as(url === "/slow" ? Deferred.await(ended) : Effect.void, {
          status: 200,
          headers: {},
          body: '"answered"'
        }),
      answerUnreadable: () => Effect.die("unused"),
      answerTimeout: () => Effect.die("unused")
    })
    const server = createServer((request, response) => {
      listener(request, response)
      if (request.url === "/slow") response.writeHead(503).end('"slow"')
    })
    const request = requestTo(yield* listening(server))
    expect((yield* request("GET", "/slow")).status).toBe(503)
    yield* Deferred.succeed(ended, undefined)
    expect((yield* request("GET", "/next")).json).toBe("answered")
  })
)
