import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { link, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parley } from "../processes.js"
import { runParley } from "./runParley.js"
import { serving } from "./serving.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-import-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

it.scopedLive("an import does not write its rejected rows over its own file", () =>
  Effect.gen(function* () {
    const { requests, url } = yield* serving(0)
    const path = yield* folder
    const file = join(path, "customers.csv")
    const text = "email\nada@example.org\n"
    yield* Effect.promise(async () => {
      await writeFile(file, text)
      await symlink(file, join(path, "symbolic.csv"))
      await link(file, join(path, "hard.csv"))
    })
    for (const errors of ["customers.csv", "symbolic.csv", "hard.csv"]) {
      const target = ["--workspace", "w", "--server", url, "--token", "t"]
      const given = ["contact", "import", file, "--errors", join(path, errors), ...target]
      for (const message of [given, [...given, "--dry-run"]]) {
        const outcome = yield* runParley(message)
        expect(outcome).toMatchObject({ code: 2, errors: expect.stringContaining("name another file") })
        expect(yield* Effect.promise(() => readFile(file, "utf8"))).toBe(text)
      }
    }
    expect(requests).toEqual([])
  })
)

/** Whether this process has a file open. Only on Linux. */
const isOpen = (file: string): boolean =>
  readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file
    } catch {
      return false
    }
  })

it.scopedLive("an import that breaks off has written all rows that it refused", () =>
  Effect.gen(function* () {
    const { url } = yield* serving(0)
    const path = yield* folder
    const [file, errors] = [join(path, "customers.ndjson"), join(path, "rejected.ndjson")]
    const tooLong = "x".repeat(1_100_000)
    yield* Effect.promise(() => writeFile(file, `${"not JSON\n".repeat(5_000)}${tooLong}`))
    const target = ["--workspace", "w", "--server", url, "--token", "t"]
    const outcome = yield* runParley(["contact", "import", file, "--errors", errors, ...target])
    const rows = readFileSync(errors, "utf8").trim().split("\n").length
    // What waits to be written would be lost when the process ends.
    if (process.platform === "linux") expect(isOpen(errors)).toBe(false)
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringContaining("was not imported completely") })
    expect(rows).toBe(5_000)
  })
)

it.scopedLive("an import whose rejected rows cannot be written imports nothing", () =>
  Effect.gen(function* () {
    const { requests, url } = yield* serving(0)
    const path = yield* folder
    const file = join(path, "customers.ndjson")
    yield* Effect.promise(() => writeFile(file, `{"email":"ada@example.org"}\n`))
    const target = ["--workspace", "w", "--server", url, "--token", "t"]
    const outcome = yield* runParley(["contact", "import", file, "--errors", join(path, "no", "folder"), ...target])
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringContaining("could not be written") })
    expect(requests).toEqual([])
  })
)

it.scopedLive.each([
  ["SIGINT", 130],
  ["SIGTERM", 143]
] as const)(
  "an import that is stopped by %s does not look complete",
  ([signal, expected]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "customers.ndjson")
      yield* Effect.promise(() => writeFile(file, `{"email":"ada@example.org"}\n`))
      let called = () => {}
      const isCalled = new Promise<void>((resume) => {
        called = resume
      })
      // It never answers.
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => createServer(() => called())),
        (server) => Effect.sync(() => server.close().closeAllConnections())
      )
      yield* Effect.promise(() => new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume)))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const target = ["--workspace", "w", "--server", url, "--token", "t"]
      const importing = yield* parley(["contact", "import", file, ...target], {})
      yield* Effect.promise(() => isCalled)
      importing.signal(signal)
      expect(yield* importing.exit).toBe(expected)
    }),
  120_000
)
