import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { HttpSender } from "@parley/core"
import { Effect } from "effect"
import * as Outbound from "../src/Outbound.js"
import { fromEnvironment } from "../src/Settings.js"

const withSender = <A>(rules: Outbound.AddressRules, use: (sender: HttpSender) => Effect.Effect<A>) =>
  Effect.flatMap(fromEnvironment({}), (settings) =>
    Effect.provide(Effect.flatMap(HttpSender, use), Outbound.layer(settings, rules))
  )

const localUrl = Effect.map(
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((_request, response) => response.end("ok"))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
)
const request = (url: string) => ({ url, headers: {}, body: "{}", timeoutMs: 10_000 })

describe("outbound HTTP of a demo", () => {
  it.scopedLive("reaches this machine, over http", () =>
    Effect.gen(function* () {
      const url = yield* localUrl
      const result = yield* withSender({ loopback: true }, (sender) => sender.post(request(url)))
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "ok" })
    })
  )

  it.effect("lets http be registered for this machine alone", () =>
    withSender({ loopback: true }, ({ refusal }) =>
      Effect.sync(() => {
        for (const url of [
          "http://127.0.0.1:9000/hook",
          "http://localhost:9000",
          "http://[::1]/",
          "https://127.8.8.8/"
        ]) {
          expect(refusal(url)).toBeNull()
        }
        for (const url of ["http://example.org/", "http://10.0.0.1/", "http://localhost.example.org/"]) {
          expect(refusal(url)).toBe("must be an https URL")
        }
        expect(refusal("https://10.0.0.1/")).toBe("must be at a public address")
        expect(refusal("http://169.254.169.254/")).not.toBeNull()
      })
    )
  )
})

describe("outbound HTTP of any other host", () => {
  it.scopedLive("does not reach this machine", () =>
    Effect.gen(function* () {
      const url = yield* localUrl
      const result = yield* withSender({ loopback: false }, (sender) => sender.post(request(url)))
      expect(result._tag).toBe("NotAnswered")
    })
  )

  it.effect("lets no http be registered", () =>
    withSender({ loopback: false }, ({ refusal }) =>
      Effect.sync(() => {
        expect(refusal("http://127.0.0.1:9000/hook")).not.toBeNull()
        expect(refusal("https://127.0.0.1:9000/hook")).not.toBeNull()
      })
    )
  )
})
