import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeOf, temporaryFolder } from "../processes.js"
import { serving } from "./serving.js"

const intoFull = ["sh", "-c", 'exec "$@" > /dev/full', "sh"]
const full = [1, "The output could not be written: ENOSPC: no space left on device, write\n"]

/** A server with one endpoint, which records its requests. */
const endpoints = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly requests: Array<string>; readonly close: () => void }>((resume) => {
    const requests: Array<string> = []
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.end(JSON.stringify({ data: { id: "e", secret: "s" } }))
    })
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resume(Effect.succeed({ url, requests, close: () => server.close().closeAllConnections() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("a command whose output cannot be written", () => {
  it.scopedLive.runIf(existsSync("/dev/full"))(
    "fails with the reason",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serving(25)
        const target = ["--server", url, "--token", "t"]
        for (const message of [
          ["app", "list", ...target],
          ["app", "list", "--all", "--json", ...target],
          ["help", "app"]
        ]) {
          const { code, output } = yield* outcomeOf(message, {}, intoFull)
          expect([code, output]).toEqual(full)
        }
      }),
    120_000
  )

  it.scopedLive.runIf(existsSync("/dev/full"))(
    "undoes what it did for its time",
    () =>
      Effect.gen(function* () {
        const { requests, url } = yield* endpoints
        const message = ["endpoint", "listen", "--app", "a", "--server", url, "--token", "t"]
        const { code, output } = yield* outcomeOf(message, {}, intoFull)
        expect([code, output]).toEqual(full)
        expect(requests).toEqual([
          "POST /admin/v1/applications/a/webhook-endpoints",
          "DELETE /admin/v1/webhook-endpoints/e"
        ])
      }),
    120_000
  )

  it.scopedLive.runIf(process.platform === "linux")(
    "fails where the file has room for a part of it",
    () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "rows")
        const { url } = yield* serving(100)
        // A file may have 1 block, of 512 or 1024 bytes; 100 rows have 1090.
        const through = ["sh", "-c", `ulimit -f 1; exec "$@" > ${file}`, "sh"]
        const list = ["app", "list", "--all", "--json", "--server", url, "--token", "t"]
        for (const message of [list, ["help"]]) {
          const { code, output } = yield* outcomeOf(message, {}, through)
          expect([code, output]).toEqual([1, "The output could not be written: EFBIG: file too large, write\n"])
          expect((yield* Effect.promise(() => readFile(file))).length % 512).toBe(0)
        }
      }),
    120_000
  )
})
