import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { adminClient, type Page } from "../../src/commands/AdminClient.js"
import { serving } from "./serving.js"

const clientOf = (url: string) =>
  adminClient({
    url,
    urlFrom: "--server",
    token: Redacted.make("secret"),
    tokenFrom: "--token",
    applicationId: null,
    workspaceId: null,
    connections: {}
  })

/** All rows from this page on, and whether there are more than requested. */
const whole = ({ hasMore, next, rows }: Page): Effect.Effect<readonly [number, boolean], unknown> =>
  next === null
    ? Effect.succeed([rows.length, hasMore] as const)
    : Effect.map(Effect.flatMap(next, whole), ([count, more]) => [rows.length + count, more] as const)

describe("the client of the admin API", () => {
  it.scopedLive("reads the requested number of rows over pages", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serving(250)
      const { list } = clientOf(url)
      const expected: ReadonlyArray<readonly [limit: number | null, rows: number, more: boolean, calls: number]> = [
        [null, 25, true, 1],
        [10, 10, true, 1],
        [100, 100, true, 1],
        [101, 101, true, 2],
        [250, 250, false, 3],
        [1_000, 250, false, 3],
        [Number.POSITIVE_INFINITY, 250, false, 3]
      ]
      for (const [limit, rows, more, calls] of expected) {
        requests.length = 0
        expect(yield* Effect.flatMap(list("/rows", { limit, filter: "a b" }), whole)).toEqual([rows, more])
        expect(requests.length).toBe(calls)
        for (const line of requests) expect(line).toMatch(/^GET .*filter=a\+b.* Bearer secret$/)
      }
    })
  )

  it.scopedLive("waits after a rate limit and continues", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serving(25, 3)
      expect(yield* Effect.flatMap(clientOf(url).list("/rows", { limit: 25 }), whole)).toEqual([25, false])
      expect(requests).toHaveLength(4)
      const never = yield* serving(25, 1_000)
      expect((yield* Effect.flip(clientOf(never.url).call("GET", "/rows"))).message).toContain("Too many.")
    })
  )

  it.scopedLive("reads the next page only on demand", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serving(250)
      const { next } = yield* clientOf(url).list("/rows", { limit: 250 })
      expect(requests).toHaveLength(1)
      expect(next).not.toBeNull()
    })
  )

  it.scopedLive("repeats a POST once under one key when the connection is lost, and no other request", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      let lost = 1
      const server = createServer((request, response) => {
        seen.push(`${request.method} ${request.headers["idempotency-key"]}`)
        if (lost-- > 0) return request.socket.destroy()
        response.end(JSON.stringify({ data: { id: "made" } }))
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { call } = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      expect(yield* call("POST", "/rows", {})).toEqual({ id: "made" })
      yield* call("POST", "/rows", {})
      expect(seen[0]).toMatch(/^POST [0-9a-f-]{36}$/)
      expect([seen[1] === seen[0], seen[2] === seen[0]]).toEqual([true, false])
      lost = 2
      expect((yield* Effect.flip(call("POST", "/rows", {}))).code).toBe(3)
      lost = 1
      seen.length = 0
      expect((yield* Effect.flip(call("PATCH", "/rows", {}))).code).toBe(3)
      expect(seen).toEqual(["PATCH undefined"])
    })
  )

  it.scopedLive("fails if nothing listens, or another server does", () =>
    Effect.gen(function* () {
      const { close, url } = yield* serving(0)
      const stranger = yield* Effect.flip(clientOf(url).call("GET", "/elsewhere"))
      expect([stranger.code, stranger.message]).toEqual([3, expect.stringContaining("not with a response of Parley")])
      close()
      const unreachable = yield* Effect.flip(clientOf(url).call("GET", "/rows"))
      expect(unreachable.code).toBe(3)
      expect(unreachable.message).toContain(
        `No Parley answers at ${url} (ECONNREFUSED). That address is from --server.`
      )
    })
  )
})
