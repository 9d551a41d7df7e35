import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { bundle } from "../bundle.js"
import { outcomeOf, temporaryFolder } from "../processes.js"
import { until } from "../until.js"
import { serving } from "./serving.js"

it.scopedLive(
  "an endless list exits without an error when its reader closes the pipe",
  () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serving(Number.POSITIVE_INFINITY)
      const through = ["sh", "-c", 'exec 3>&1; { "$@" 2>&3; echo "code $?" >&3; } | head -n 1', "sh"]
      const message = ["app", "list", "--all", "--json", "--server", url, "--token", "t"]
      const { code, output } = yield* outcomeOf(message, {}, through)
      expect([code, output.split("\n").sort()]).toEqual([0, ["", "code 0", '{"id":0}']])
      expect(requests.length).toBeGreaterThan(0)
    }),
  120_000
)

it.scopedLive(
  "a host stops when the reader of its log is gone, and exits with 1",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = yield* Effect.promise(bundle)
      const settings = { PARLEY_DATA_DIR: folder, PARLEY_PORT: "0", PARLEY_LOG_LEVEL: "debug" }
      const host = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [file, "serve"], {
            env: { PATH: process.env.PATH, PARLEY_SHUTDOWN_DELAY_SECONDS: "0", ...settings },
            stdio: ["ignore", "pipe", "ignore"]
          })
        ),
        (host) => Effect.sync(() => host.kill("SIGKILL"))
      )
      let log = ""
      host.stdout.setEncoding("utf8").on("data", (text: string) => {
        log += text
      })
      const url = yield* until("the host listens", () => /listening on (http:\/\/[^\s"]+)/.exec(log)?.[1])
      host.stdout.destroy()
      const code = yield* until("the host has ended", async () => {
        // It logs each request.
        await fetch(`${url}/api/v1/messages`).catch(() => {})
        return host.exitCode ?? undefined
      })
      expect(code).toBe(1)
    }),
  120_000
)

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => found(port))
    })
  })

it.scopedLive.runIf(existsSync("/dev/full"))(
  "a host serves on while the disk of its log is full",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = yield* Effect.promise(bundle)
      const port = yield* Effect.promise(freePort)
      const full = yield* Effect.acquireRelease(
        Effect.promise(() => open("/dev/full", "w")),
        (full) => Effect.promise(() => full.close())
      )
      const settings = { PARLEY_DATA_DIR: folder, PARLEY_PORT: `${port}`, PARLEY_LOG_LEVEL: "debug" }
      const host = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [file, "serve"], {
            env: { PATH: process.env.PATH, PARLEY_SHUTDOWN_DELAY_SECONDS: "0", ...settings },
            stdio: ["ignore", full.fd, full.fd]
          })
        ),
        (host) => Effect.sync(() => host.kill("SIGKILL"))
      )
      const statusOf = (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(
          ({ status }) => status,
          () => undefined
        )
      const first = yield* until("the host serves, or has ended", async () => {
        const status = await statusOf("/healthz")
        return status ?? (host.exitCode === null ? undefined : "ended")
      })
      expect(first).toBe(200)
      // It logs each request.
      expect(yield* Effect.promise(() => statusOf("/api/v1/contacts"))).toBe(401)
      expect(yield* Effect.promise(() => statusOf("/healthz"))).toBe(200)
      host.kill("SIGTERM")
      expect(yield* until("the host has ended", async () => host.exitCode ?? undefined)).toBe(0)
    }),
  120_000
)
