import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { pouring, serve, serveSecurely, serveSocket } from "../../../packages/node/test/localServer.js"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callAdmin } from "./calls.js"
import { databases } from "./databases.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

interface Tested {
  readonly id: string
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: ReadonlyArray<{ readonly status: number | null; readonly error: string | null }>
}

const gigabyte = 1024 ** 3

/** An endpoint at this URL. */
const endpointAt = (demo: DemoFile, url: string) =>
  Effect.map(
    callAdmin(demo, "POST", `/applications/${demo.application_id}/webhook-endpoints`, {
      url,
      events: ["contact.created"]
    }),
    (endpoint) => (endpoint as { readonly id: string }).id
  )

/** The outcome of a test delivery, which has one attempt. */
const tested = (demo: DemoFile, endpoint: string) =>
  Effect.gen(function* () {
    const { id } = (yield* callAdmin(demo, "POST", `/webhook-endpoints/${endpoint}/test`)) as Tested
    return yield* until("the delivery is over", async () => {
      const found = (await Effect.runPromise(callAdmin(demo, "GET", `/webhook-deliveries/${id}`))) as Tested
      return found.status === "pending" ? undefined : found
    })
  })

/** Resident memory of a host in bytes, from its metrics. */
const memoryOf = (demo: DemoFile) =>
  Effect.promise(async () => {
    const metrics = await (await fetch(`${demo.base_url}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1])
  })

const hostile = [
  [
    "answers with a gigabyte",
    pouring(`HTTP/1.1 500 Sorry\r\ncontent-length: ${gigabyte}\r\n\r\n`, "a".repeat(1024 * 1024)),
    { status: 500, error: null, answer: "a".repeat(4_096) }
  ],
  [
    "never ends its headers",
    pouring("HTTP/1.1 200 OK\r\n", `x-more: ${"a".repeat(1_000)}\r\n`),
    { status: null, error: "answer headers too large", answer: null }
  ],
  [
    "closes at once",
    serveSocket((socket) => socket.destroy()),
    { status: null, error: "connection closed before the answer was complete", answer: null }
  ],
  [
    "redirects to a metadata address",
    serve((_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end()),
    { status: 302, error: null, answer: "" }
  ]
] as const

for (const [name, settingsOf] of databases) {
  describe(`a host on ${name}`, () => {
    it.scopedLive(
      "records the failure of a hostile endpoint, in constant memory",
      () =>
        Effect.gen(function* () {
          const { demo } = yield* serveDemo(yield* temporaryFolder, yield* settingsOf)
          for (const [behaviour, receiver, attempt] of hostile) {
            const { port } = yield* receiver
            const endpoint = yield* endpointAt(demo, `http://127.0.0.1:${port}/`)
            expect(yield* tested(demo, endpoint), behaviour).toMatchObject({ status: "failed", attempts: [attempt] })
          }
          const { port } = yield* serveSecurely((_, response) => response.end())
          const impostor = yield* endpointAt(demo, `https://127.0.0.1:${port}/`)
          expect(yield* tested(demo, impostor)).toMatchObject({
            status: "failed",
            attempts: [{ status: null, error: "TLS certificate is not from a trusted authority", answer: null }]
          })

          const [[, flood]] = hostile
          const flooding = yield* endpointAt(demo, `http://127.0.0.1:${(yield* flood).port}/`)
          const before = yield* memoryOf(demo)
          yield* Effect.all(
            Array.from({ length: 20 }, () => tested(demo, flooding)),
            { concurrency: "unbounded" }
          )
          expect((yield* memoryOf(demo)) - before).toBeLessThan(gigabyte / 4)
        }),
      300_000
    )
  })
}
