import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { callAdmin, messageOf } from "./calls.js"
import { outcomeOf, serveDemo, temporaryFolder } from "./processes.js"
import { sendUntilAccepted } from "./sendUntilAccepted.js"
import { until } from "./until.js"

const clients = 10

it.scopedLive(
  "a copy that is made under load has all that was acknowledged before, and goes on from there",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const host = yield* serveDemo(folder)
      yield* callAdmin(host.demo, "PATCH", `/applications/${host.demo.application_id}`, {
        limits: { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
      })
      const accepted: Array<string> = []
      let stopped = false
      const client = async (of: number) => {
        for (let n = 0; !stopped; n++) {
          const to = `+1555${of}${String(n).padStart(5, "0")}1234`
          accepted.push(await sendUntilAccepted(host, { key: `send-${of}-${n}`, to }))
        }
      }
      const sending = yield* Effect.fork(
        Effect.promise(() => Promise.all(Array.from({ length: clients }, (_, of) => client(of))))
      )
      yield* until("there is load", () => (accepted.length >= 200 ? true : undefined))

      const restored = yield* Effect.promise(() => mkdtemp(join(folder, "restored-")))
      const before = [...accepted]
      const copy = join(restored, "parley.db")
      expect(yield* outcomeOf(["backup", copy], { PARLEY_DATA_DIR: folder })).toEqual({
        code: 0,
        output: `sqlite:${join(folder, "parley.db")} was copied to ${copy}\n`
      })
      const { mode } = yield* Effect.promise(() => stat(copy))
      expect([yield* Effect.promise(() => readdir(restored)), mode & 0o077]).toEqual([["parley.db"], 0])
      yield* until("there is load still", () => (accepted.length > before.length ? true : undefined))
      stopped = true
      yield* Fiber.join(sending)
      host.signal("SIGKILL")
      yield* host.exit

      for (const file of ["secret-key", "admin-token", "demo.json"]) {
        yield* Effect.promise(() => copyFile(join(folder, file), join(restored, file)))
      }
      const again = yield* serveDemo(restored)
      expect(again.demo.api_key).toBe(host.demo.api_key)
      for (const id of before) {
        yield* until(`message ${id} is read`, async () => {
          const { status } = await messageOf(again.demo, id)
          return status === "read" ? true : undefined
        })
      }
    }),
  120_000
)

it.scopedLive(
  "a backup keeps the file that has its name",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const settings = { PARLEY_DATA_DIR: folder }
      const copy = join(folder, "copy.db")
      expect((yield* outcomeOf(["migrate"], settings)).code).toBe(0)
      for (const [existing, reason] of [
        [copy, "it exists"],
        [
          `${copy}.partial`,
          `${copy}.partial exists. Another backup is running, or one was killed: in this case, remove the file`
        ]
      ] as const) {
        yield* Effect.promise(() => writeFile(existing, "mine"))
        expect(yield* outcomeOf(["backup", copy], settings)).toEqual({
          code: 1,
          output: `${copy} cannot be written: ${reason}\n`
        })
        expect(yield* Effect.promise(() => readFile(existing, "utf8"))).toBe("mine")
        yield* Effect.promise(() => rm(existing))
      }
    }),
  120_000
)

it.scopedLive(
  "a backup of no database creates none",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { code, output } = yield* outcomeOf(["backup", join(folder, "copy.db")], {
        PARLEY_DATA_DIR: join(folder, "none")
      })
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^The database cannot be used .*: there is no such file\n$/)
      ])
      expect(yield* Effect.promise(() => readdir(folder))).toEqual([])
    }),
  120_000
)

it.scopedLive(
  "a backup on postgres names pg_dump, and no password",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { code, output } = yield* outcomeOf(["backup", join(folder, "copy.db")], {
        PARLEY_DATA_DIR: folder,
        PARLEY_DATABASE_URL: "postgres://parley:hunter2@127.0.0.1:1/parley"
      })
      expect([code, output]).toEqual([
        1,
        expect.stringContaining('pg_dump --format=custom --file=<file> "$PARLEY_DATABASE_URL"')
      ])
      expect(output).not.toContain("hunter2")
    }),
  120_000
)
