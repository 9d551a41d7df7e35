import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit/databases"
import { Effect, FastCheck as fc, Runtime } from "effect"
import { nodeServer } from "../src/index.js"
import { endpoints } from "./garbage/endpoints.js"
import { headerText, oddHeaders } from "./garbage/headers.js"
import { expectPromises } from "./garbage/promises.js"
import { rawBodies } from "./garbage/rawBodies.js"
import { holds, timeout } from "./garbage/report.js"
import { headersOf, pathOf } from "./garbage/requests.js"
import { oddMethods, oddPaths, oddQueries } from "./garbage/targets.js"
import { World, world } from "./garbage/world.js"
import { listening, rawTo } from "./serve.js"

/** The last response of a connection, after `100 Continue` if present. */
const lastOf = (text: string) => {
  const start = text.lastIndexOf("HTTP/1.1 ")
  const [head = "", ...body] = text.slice(start).split("\r\n\r\n")
  const [line = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(":")).toLowerCase(), one.slice(one.indexOf(":") + 1).trim()])
  )
  return { status: Number(line.split(" ")[1]), headers, body: body.join("\r\n\r\n") }
}

const lines = fc.array(
  fc.oneof(
    headerText.map((text) => `X-Odd: ${text}`),
    headerText.filter((text) => text !== ""),
    fc.constantFrom(
      "Expect: 100-continue",
      "Connection: Upgrade\r\nUpgrade: websocket",
      "Upgrade: h2c",
      "TE: trailers",
      " folded",
      ": nameless",
      "Host: a\r\nHost: b",
      "Content-Type: a\r\nContent-Type: b",
      "Idempotency-Key: a\r\nIdempotency-Key: b",
      "__proto__: x",
      "X\0: y",
      "Cookie: é"
    )
  ),
  { maxLength: 4 }
)
const versions = fc.oneof(
  { weight: 6, arbitrary: fc.constant("HTTP/1.1") },
  fc.constantFrom("HTTP/1.0", "HTTP/2.0", "http/1.1", "")
)

layer(world(sqlite), { excludeTestServices: true, timeout })("random input on a socket", (it) => {
  it.scoped("is answered, and every connection ends", () =>
    Effect.gen(function* () {
      const { interpreter, own, causes } = yield* World
      const raw = rawTo(yield* listening(yield* nodeServer(interpreter)))
      const run = Runtime.runPromise(yield* Effect.runtime<never>())
      const requests = fc.constantFrom(...endpoints).chain((endpoint) => {
        const path = pathOf(endpoint, own.known)
        const query = oddQueries(endpoint).map((search) => `${path}?${search}`)
        return fc.record({
          endpoint: fc.constant(endpoint),
          method: fc.oneof({ weight: 3, arbitrary: fc.constant(endpoint.method) }, oddMethods),
          target: fc.oneof(fc.constant(path), oddPaths(path), query),
          version: versions,
          headers: oddHeaders,
          lines,
          body: rawBodies(`{"a":1}`),
          once: fc.uuid()
        })
      })
      const property = fc.asyncProperty(
        requests,
        async ({ endpoint, method, target, version, headers, lines, body, once }) => {
          // A wrong length would announce a body that does not follow.
          const { "content-length": _, ...odd } = { ...headersOf(endpoint, own.known, once), ...headers }
          const given = Object.entries(odd).flatMap(([name, values]) =>
            [values].flat().map((value) => `${name}: ${value}`)
          )
          const all = [...given, ...lines, `content-length: ${body.length}`, "connection: close"]
          const head = `${method} ${target} ${version}\r\n${all.join("\r\n")}\r\n\r\n`
          const { text, failure } = await run(raw(Buffer.concat([Buffer.from(head, "latin1"), body])))
          const answer = lastOf(text)
          expect(causes()).toEqual([])
          expect([failure, answer.status]).toEqual([null, expect.any(Number)])
          // Responses to HEAD have no body to check, unless the request is unreadable.
          if (method !== "HEAD" || answer.body !== "") expectPromises(null, answer)
        }
      )
      yield* holds(400, property)
    })
  )
})
