import { type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Administration, Engine, ProviderHooks, Storage, StorageUnavailable } from "@parley/core"
import { fromEnvironment, Ports } from "@parley/host-settings"
import { sqlite } from "@parley/testkit/databases"
import { Effect, Exit, Fiber, Layer, Logger, Scope, Stream } from "effect"
import * as HttpHost from "../src/HttpHost.js"
import { guarded } from "../src/probes.js"

const environment = {
  PARLEY_PORT: "0",
  PARLEY_ADMIN_TOKEN: "admin-token",
  PARLEY_SECRET_KEY: Buffer.alloc(32, 1).toString("base64")
}

/** A server with its own database, and the given `check` and provider hooks. */
const serve = (check?: Storage["check"], more: { readonly [name: string]: string } = {}, hooks?: ProviderHooks) =>
  Effect.gen(function* () {
    const settings = yield* fromEnvironment({ ...environment, ...more })
    const storage =
      check === undefined
        ? sqlite
        : Layer.provideMerge(
            Layer.effect(
              Storage,
              Effect.map(Storage, (own) => ({ ...own, check }))
            ),
            sqlite
          )
    const engine = Administration.layer.pipe(
      Layer.provideMerge(Engine.layer),
      Layer.provideMerge(Ports.layer(settings, { loopback: false })),
      Layer.provideMerge(storage)
    )
    const served = hooks === undefined ? engine : Layer.merge(engine, Layer.succeed(ProviderHooks, hooks))
    const context = yield* Layer.build(Layer.provide(HttpHost.layer(settings), served))
    return yield* Effect.provide(HttpHost.HttpHost, context)
  })

const read = (url: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const get = (url: string, init: RequestInit = {}) =>
  Effect.map(read(url, init), ({ text, ...answer }) => ({ ...answer, body: text === "" ? null : JSON.parse(text) }))

describe("the http host", () => {
  it.scopedLive("reports liveness and readiness", () =>
    Effect.gen(function* () {
      const { url } = yield* serve()
      expect(yield* get(`${url}/healthz`)).toMatchObject({ status: 200, body: { status: "ok" } })
      expect(yield* get(`${url}/readyz?verbose`)).toMatchObject({ status: 200, body: { status: "ready" } })
      expect(yield* get(`${url}/readyz`, { method: "HEAD" })).toMatchObject({ status: 200, body: null })
    })
  )

  it.scopedLive("reports readiness and metrics on the port of the API to this machine and to proxies only", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(undefined, { PARLEY_TRUSTED_PROXIES: "127.0.0.1" })
      const statusOf = (path: string, headers: OutgoingHttpHeaders) =>
        Effect.async<number | undefined>((resume) => {
          request(`${url}${path}`, { headers }, (response) => {
            response.resume()
            resume(Effect.succeed(response.statusCode))
          }).end()
        })
      for (const path of ["/readyz", "/metrics?x"]) {
        for (const host of ["localhost:8080", "127.0.0.1", "[::1]:80", "parley:8080", "10.1.2.3"]) {
          expect([path, host, yield* statusOf(path, { host })]).toEqual([path, host, 200])
        }
        for (const host of ["rebound.example", "localhost.example.org:8080", "127.0.0.1.example.org", "a b"]) {
          expect([path, host, yield* statusOf(path, { host })]).toEqual([path, host, 403])
        }
        expect(yield* statusOf(path, { "x-forwarded-for": "203.0.113.7" })).toBe(403)
      }
      expect(yield* statusOf("/healthz", { host: "rebound.example", "x-forwarded-for": "203.0.113.7" })).toBe(200)
    })
  )

  it.scopedLive("says to others how to serve readiness and metrics", () =>
    Effect.gen(function* () {
      const settings = yield* fromEnvironment({ ...environment, PARLEY_TRUSTED_PROXIES: "192.0.2.0/24" })
      const lines: Array<string> = []
      const log = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => lines.push(String(message)))
      )
      const probe = yield* Effect.provide(guarded(settings), yield* Layer.build(Layer.merge(sqlite, log)))
      const answerTo = (remoteAddress: string) =>
        Effect.async<readonly [status: number, text: string]>((resume) => {
          let status = 0
          const response = {
            writeHead: (its: number) => {
              status = its
            },
            end: (text: string) => resume(Effect.succeed([status, text]))
          } as unknown as ServerResponse
          const incoming = { url: "/readyz", method: "GET", headers: { host: "10.0.0.1" }, socket: { remoteAddress } }
          probe(incoming as unknown as IncomingMessage, response)
        })
      expect((yield* answerTo("192.0.2.7"))[0]).toBe(200)
      expect((yield* answerTo("::ffff:127.0.0.1"))[0]).toBe(200)
      for (const stranger of ["203.0.113.7", "10.0.0.5"]) {
        const [status, text] = yield* answerTo(stranger)
        expect([status, text]).toEqual([403, expect.stringContaining("Set PARLEY_PROBES_PORT")])
      }
      expect(lines).toEqual([expect.stringMatching(/^\/readyz was refused to 203\.0\.113\.7: .*PARLEY_PROBES_PORT/)])
    })
  )

  it.scopedLive("serves the admin API under local names, its own names, and to its own pages only", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(undefined, {
        PARLEY_PUBLIC_URL: "https://messages.example.org",
        PARLEY_ADMIN_HOSTS: "Admin.example.org"
      })
      const answerTo = (headers: OutgoingHttpHeaders) =>
        Effect.async<readonly [status: number | undefined, body: any]>((resume) => {
          const more = { authorization: "Bearer admin-token", ...headers }
          request(`${url}/admin/v1/workspaces`, { headers: more }, (response) => {
            let text = ""
            response.on("data", (chunk) => {
              text += chunk
            })
            response.on("end", () => resume(Effect.succeed([response.statusCode, JSON.parse(text)])))
          }).end()
        })
      for (const headers of [
        { host: "messages.example.org" },
        { host: "admin.example.org:8443" },
        { host: "ADMIN.EXAMPLE.ORG." },
        { host: "parley:8080" },
        { host: "[::1]:8080" },
        { host: "app.localhost" },
        { host: "localhost:8080", origin: "http://localhost:8080" },
        { host: "10.0.0.1", origin: "https://messages.example.org" },
        { host: "parley", origin: "https://admin.example.org:8443" }
      ]) {
        expect([headers, (yield* answerTo(headers))[0]]).toEqual([headers, 200])
      }
      for (const [headers, message] of [
        [{ host: "rebound.example" }, /Set PARLEY_ADMIN_HOSTS/],
        [{ host: "rebound.example", origin: "http://rebound.example" }, /Set PARLEY_ADMIN_HOSTS/],
        [{ host: "127.0.0.1.example.org" }, /Set PARLEY_ADMIN_HOSTS/],
        [{ host: "localhost:8080", origin: "http://localhost:3000" }, /set PARLEY_ADMIN_HOSTS/],
        [{ host: "localhost:8080", origin: "https://other.example" }, /set PARLEY_ADMIN_HOSTS/],
        [{ host: "localhost:8080", origin: "null" }, /set PARLEY_ADMIN_HOSTS/]
      ] as const) {
        const [status, { error }] = yield* answerTo(headers)
        expect([headers, status, error.code, error.message]).toEqual([
          headers,
          403,
          "forbidden",
          expect.stringMatching(message)
        ])
      }
    })
  )

  it.scopedLive("is live but not ready while its storage is down", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(new StorageUnavailable({ cause: new Error("gone") }))
      expect((yield* get(`${url}/healthz`)).status).toBe(200)
      expect(yield* get(`${url}/readyz`)).toMatchObject({
        status: 503,
        body: { status: "not_ready", reason: "the database cannot be reached" }
      })
    })
  )

  it.scopedLive("serves the public API and the admin API, and answers other paths with an error envelope", () =>
    Effect.gen(function* () {
      const { url } = yield* serve()
      const admin = { headers: { authorization: "Bearer admin-token" } }
      expect((yield* get(`${url}/admin/v1/workspaces`, admin)).body.data).toEqual([])
      expect((yield* get(`${url}/admin/v1/workspaces`)).body.error.code).toBe("unauthenticated")
      expect((yield* get(`${url}/api/v1/messages/1`)).body.error.code).toBe("unauthenticated")
      const lost = yield* get(`${url}/healthz/deeper`)
      expect(lost.body.error.code).toBe("not_found")
      expect(lost.headers.get("x-request-id")).toBe(lost.body.error.request_id)
    })
  )

  for (const [what, request, status] of [
    ["what is no HTTP", "HELLO\r\n\r\n", 400],
    ["a request that names no host", "GET /api/v1/messages/1 HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", 400],
    [
      "an unsupported Expect header",
      "GET /api/v1/messages/1 HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n",
      401
    ]
  ] as const) {
    it.scopedLive(`has an envelope for ${what}`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve()
        const answer = yield* Effect.async<string>((resume) => {
          let text = ""
          const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(request))
          socket.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk
          })
          socket.on("close", () => resume(Effect.succeed(text)))
        })
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        expect(answer).toContain(status === 400 ? '"bad_request"' : '"unauthenticated"')
        expect(answer).toMatch(/^x-request-id: /m)
      })
    )
  }

  it.scopedLive("fails with a one-line message if its port is taken", () =>
    Effect.gen(function* () {
      const { url } = yield* serve()
      const { port } = new URL(url)
      const error = yield* Effect.flip(serve(undefined, { PARLEY_PORT: port }))
      expect(error.message).toMatch(new RegExp(`^PARLEY_PORT ${port} is in use on 127.0.0.1: [^\n]*$`))
    })
  )

  it.scopedLive("stops although streams are open", () =>
    Effect.gen(function* () {
      const stream = Stream.concat(Stream.make(new TextEncoder().encode("one")), Stream.never)
      const answer = { status: 200, headers: {}, body: stream }
      const hook = { methods: null, bodyLimit: 1, answer: () => Effect.succeed(answer) }
      const scope = yield* Scope.make()
      const { url } = yield* Scope.extend(serve(undefined, {}, { at: () => Effect.succeed(hook) }), scope)
      const response = yield* Effect.promise(() => fetch(`${url}/inbound/0195f1b2-0000-7000-8000-000000000000`))
      const text = yield* Effect.fork(Effect.promise(() => response.text()))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(text)).toBe("one")
    })
  )

  it.scopedLive("serves metrics of requests by group and status, of the queue and of the process", () =>
    Effect.gen(function* () {
      const { url } = yield* serve()
      const admin = { headers: { authorization: "Bearer admin-token" } }
      yield* get(`${url}/admin/v1/workspaces`, admin)
      yield* get(`${url}/admin/v1/workspaces`)
      yield* get(`${url}/api/v1/messages/0195f1b2-0000-7000-8000-000000000000`)
      const { headers, status, text } = yield* read(`${url}/metrics`)
      expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
      const requests = (group: string, status: string) =>
        new RegExp(`^parley_http_request_duration_seconds_count{group="${group}",status="${status}"} [1-9]`, "m")
      expect(text).toMatch(requests("admin/workspaces", "2xx"))
      expect(text).toMatch(requests("admin/workspaces", "4xx"))
      expect(text).toMatch(requests("api/messages", "4xx"))
      expect(text).toMatch(/^parley_queue_jobs{lane="sends",state="due"} 0$/m)
      expect(text).toMatch(/^parley_build_info{version="[^"]+",node="[^"]+",database="sqlite"} 1$/m)
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m)
      // every line is a comment or a sample, and every sample a number
      for (const line of text.trimEnd().split("\n")) {
        expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+({([a-z]+="[^"]*",?)+})? ([\d.e+-]+|\+Inf))$/)
      }
    })
  )

  it.scopedLive("serves no metrics if they are turned off", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(undefined, { PARLEY_METRICS: "false" })
      expect((yield* get(`${url}/metrics`)).body.error.code).toBe("not_found")
      expect((yield* get(`${url}/healthz`)).status).toBe(200)
    })
  )

  it.scopedLive("answers readiness and metrics only on their own port if one is set", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => lines.push(String(message)))
      )
      const { url } = yield* Effect.provide(serve(undefined, { PARLEY_PROBES_PORT: "0" }), log)
      expect((yield* get(`${url}/healthz`)).status).toBe(200)
      for (const path of ["/readyz", "/metrics"]) {
        expect((yield* get(`${url}${path}`)).body.error.code).toBe("not_found")
      }
      const probes = lines.flatMap((line) => /^probes at (\S+)$/.exec(line)?.[1] ?? [])
      expect(probes).toHaveLength(1)
      expect(yield* get(`${probes[0]}/readyz`)).toMatchObject({ status: 200, body: { status: "ready" } })
      expect((yield* read(`${probes[0]}/metrics`)).text).toContain("parley_queue_jobs")
      expect((yield* read(`${probes[0]}/api/v1/channels`)).status).toBe(404)
    })
  )
})
