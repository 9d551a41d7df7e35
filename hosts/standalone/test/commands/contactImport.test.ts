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
