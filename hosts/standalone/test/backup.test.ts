import { execFile } from "node:child_process"
import { copyFile, mkdtemp } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { callAdmin, messageOf } from "./calls.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { sendUntilAccepted } from "./sendUntilAccepted.js"
import { until } from "./until.js"

const clients = 10

/** What docs/operate.md has an operator run beside the host, by the driver that is here anyway. */
const vacuumInto = (file: string, copy: string): Promise<unknown> => {
  const driver = createRequire(new URL("../../../packages/sqlite/package.json", import.meta.url)).resolve(
    "better-sqlite3"
  )
  const program = `new (require(process.argv[1]))(process.argv[2]).prepare("VACUUM INTO ?").run(process.argv[3])`
  return promisify(execFile)(process.execPath, ["--eval", program, driver, file, copy])
}

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
      yield* Effect.promise(() => vacuumInto(join(folder, "parley.db"), join(restored, "parley.db")))
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
