import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  documentsOf,
  httpApp,
  makeInterpreter,
  mounted,
  publicDescription,
  publicModule,
  webHandler
} from "../../src/index.js"
import { fakes, token } from "../fakes.js"
import { serve } from "../serve.js"

const everywhere = ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining"]
const paths = documentsOf(publicDescription).map(({ path }) => path)

/** A plain request: status, headers and text. */
const read = (url: string, options: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, options)
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

it.scopedLive("need no credential, and charge the address", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    for (const path of paths) {
      const answer = yield* read(`http://127.0.0.1:${served.port}${path}`)
      expect([path, answer.status, answer.text.length > 0]).toEqual([path, 200, true])
      for (const name of everywhere) expect(answer.headers.has(name)).toBe(true)
    }
    expect([...served.takenFrom]).toEqual([["address:127.0.0.1", paths.length]])
  })
)

it.scopedLive("charge the calling application, or the address if the credential is invalid", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const url = `http://127.0.0.1:${served.port}/api/v1/openapi.json`
    const answers = yield* Effect.forEach([token, "nobody's"], (bearer) =>
      read(url, { headers: { authorization: `Bearer ${bearer}` } })
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([...served.takenFrom]).toEqual([
      ["requests:application", 1],
      ["address:127.0.0.1", 1]
    ])
  })
)

it.scopedLive("are rate limited, and available while the storage is down", () =>
  Effect.gen(function* () {
    const throttled = yield* serve({ anonymousLimit: 0 })
    const refused = yield* throttled.request("GET", "/api/v1/openapi.json", { token: null })
    expect([refused.status, refused.error?.code]).toEqual([429, "rate_limited"])
    const down = yield* serve({ storageIsDown: true })
    expect((yield* down.request("GET", "/api/v1/openapi.json", { token: null })).status).toBe(200)
  })
)

it.scopedLive("are read-only", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const answer = yield* served.request("POST", "/api/v1/docs", { json: {} })
    expect([answer.status, answer.headers.allow, answer.error?.code]).toEqual([405, "GET, HEAD", "method_not_allowed"])
  })
)

it.scopedLive("are not sent again to a client with the current version", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    for (const path of paths) {
      const url = `http://127.0.0.1:${served.port}${path}`
      const etag = (yield* read(url)).headers.get("etag") ?? ""
      expect(etag).toMatch(/^"[\w-]{43}"$/)
      for (const [known, status] of [
        [etag, 304],
        [`"other", W/${etag}`, 304],
        ["*", 304],
        [`"other"`, 200]
      ] as const) {
        const answer = yield* read(url, { headers: { "if-none-match": known } })
        expect([path, known, answer.status, answer.text === ""]).toEqual([path, known, status, status === 304])
        expect([answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([etag, "no-cache"])
        for (const name of everywhere) expect(answer.headers.has(name)).toBe(true)
      }
    }
  })
)

it.scopedLive("name the server of the request", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const urlOf = (answer: { readonly json: unknown }) =>
      (answer.json as { readonly servers: ReadonlyArray<{ readonly url: string }> }).servers[0]?.url
    const here = `http://127.0.0.1:${served.port}`
    const first = yield* served.request("GET", "/api/v1/openapi.json?some=query")
    expect(urlOf(first)).toBe(`${here}/api/v1`)
    const raw = yield* served.raw("GET /api/v1/openapi.json HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n")
    expect(raw.text).toContain(`"servers":[{"url":"http://api.example/api/v1"}]`)
    expect(urlOf(yield* served.request("GET", "/api/v1/openapi.json"))).toBe(`${here}/api/v1`)
  })
)

it.live("work under a mount path, by fetch and as an app of Effect", () =>
  Effect.gen(function* () {
    const interpreter = mounted(yield* makeInterpreter({ modules: [yield* publicModule] }), "/messaging")
    const app = httpApp(interpreter)
    const handles = [
      yield* webHandler(interpreter),
      (request: Request) =>
        Effect.runPromise(
          app.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
            Effect.map((response) => HttpServerResponse.toWeb(response)),
            Effect.scoped
          )
        )
    ]
    for (const handle of handles) {
      const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
        Effect.promise(() => handle(new Request(`https://acme.example/messaging/api/v1${path}`, { headers })))
      const first = yield* get("/openapi.json", { host: "acme.example" })
      expect([first.status, first.headers.get("content-type")]).toEqual([200, "application/json"])
      const { servers } = (yield* Effect.promise(() => first.json())) as { readonly servers: ReadonlyArray<any> }
      expect(servers[0].url).toMatch(/^https?:\/\/acme\.example\/messaging\/api\/v1$/)
      const again = yield* get("/docs", { "if-none-match": "*" })
      expect([again.status, yield* Effect.promise(() => again.text())]).toEqual([304, ""])
    }
  }).pipe(Effect.provide(fakes().services))
)

it.scopedLive("allow the page only its own scripts, and no requests elsewhere", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const { headers, text } = yield* read(`http://127.0.0.1:${served.port}/api/v1/docs`)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(text).not.toMatch(/https?:|<style|style=|<script>|\son\w+=/)
    const linked = [...text.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, link]) => `/api/v1/${link}`)
    expect(linked.length).toBeGreaterThan(2)
    for (const link of linked) expect(paths).toContain(link)
  })
)

it.scopedLive("serves a page at the root whose links lead on", () =>
  Effect.gen(function* () {
    const served = yield* serve()
    const page = yield* Effect.promise(() => fetch(`http://127.0.0.1:${served.port}/`))
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    const links = [...(yield* Effect.promise(() => page.text())).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
    expect(links).toHaveLength(2)
    for (const link of links) {
      const answer = yield* Effect.promise(() => fetch(new URL(link ?? "", page.url)))
      expect(answer.status).toBe(200)
    }
  })
)
