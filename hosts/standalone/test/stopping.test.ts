import { describe, expect, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect, Fiber } from "effect"
import { callAdmin, messageOf, sendTemplate } from "./calls.js"
import { listening, outcomeOf, parley, serveDemo, temporaryFolder } from "./processes.js"
import { receiver } from "./receiver.js"
import { until } from "./until.js"

describe.concurrent("a host", () => {
  it.scopedLive(
    "answers a send in progress when it is stopped, and exits with 0",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const host = yield* serveDemo(folder)
        const { arrivals, url } = yield* receiver
        yield* callAdmin(host.demo, "POST", `/applications/${host.demo.application_id}/webhook-endpoints`, {
          url,
          events: ["message.queued"]
        })
        // The sandbox takes five seconds over this number, so that the sender is kept waiting.
        const sending = yield* Effect.fork(Effect.promise(() => sendTemplate(host.demo, "+15550190006", "slow")))
        yield* until("the send is committed", () => arrivals[0])
        // As from npm, which sends on what the whole group got.
        host.signal("SIGTERM")
        host.signal("SIGTERM")
        const answer = yield* Fiber.join(sending)
        expect(answer.status).toBe(202)
        expect(yield* host.exit).toBe(0)

        const next = yield* serveDemo(folder)
        yield* until("the message goes on after the restart", async () =>
          (await messageOf(next.demo, answer.body.data.message_id)).status === "read" ? true : undefined
        )
      }),
    300_000
  )

  it.scopedLive(
    "serves on and is not ready during the shutdown delay, then exits with 0",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const host = yield* serveDemo(folder, { PARLEY_SHUTDOWN_DELAY_SECONDS: "15" })
        const readyz = async () => (await fetch(`${host.demo.base_url}/readyz`)).status
        expect(yield* Effect.promise(readyz)).toBe(200)
        host.signal("SIGTERM")
        yield* until("it is not ready", async () => ((await readyz()) === 503 ? true : undefined))
        expect((yield* Effect.promise(() => sendTemplate(host.demo, "+15550190099", "late"))).status).toBe(202)
        expect(yield* host.exit).toBe(0)
      }),
    300_000
  )

  it.scopedLive(
    "refuses a SQLite file in use by another process, with the reason",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        yield* serveDemo(folder)
        const second = yield* outcomeOf(["serve"], { PARLEY_DATA_DIR: folder, PARLEY_PORT: "0" })
        expect(second.code).toBe(1)
        expect(second.output.trim().split("\n")).toHaveLength(1)
        expect(second.output).toContain("is in use by another process")
      }),
    300_000
  )

  it.scopedLive(
    "refuses to start with another secret key than that of its database",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const host = yield* serveDemo(folder)
        yield* callAdmin(host.demo, "POST", `/applications/${host.demo.application_id}/webhook-endpoints`, {
          url: "http://127.0.0.1:9/",
          events: ["*"]
        })
        host.signal("SIGTERM")
        expect(yield* host.exit).toBe(0)
        const other = yield* outcomeOf(["serve"], {
          PARLEY_DATA_DIR: folder,
          PARLEY_PORT: "0",
          PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
        })
        expect(other.code).toBe(1)
        expect(other.output).toContain("PARLEY_SECRET_KEY")
      }),
    300_000
  )

  it.scopedLive(
    "refuses a port in use, with one line",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serveDemo(yield* temporaryFolder)
        const second = yield* outcomeOf(["serve"], {
          PARLEY_DATA_DIR: yield* temporaryFolder,
          PARLEY_PORT: new URL(url).port
        })
        expect(second.code).toBe(1)
        expect(second.output.trim()).toMatch(/^PARLEY_PORT \d+ is in use on 127\.0\.0\.1:[^\n]*$/)
      }),
    300_000
  )

  it.scopedLive(
    "names every wrong setting",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* outcomeOf(["serve"], { PARLEY_PORT: "many", PARLEY_DEMO: "yes" })
        expect(code).toBe(1)
        expect(output.trim().split("\n")).toEqual([
          "PARLEY_PORT must be a port from 0 to 65535",
          "PARLEY_DEMO must be true or false"
        ])
      }),
    300_000
  )

  it.scopedLive(
    "shares its work with other hosts on Postgres only",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        for (const command of ["http", "worker"]) {
          const { code, output } = yield* outcomeOf([command], { PARLEY_DATA_DIR: folder })
          expect(code).toBe(1)
          expect(output).toMatch(/^PARLEY_DATABASE_URL must be postgres:/)
        }

        const settings = { PARLEY_DATABASE_URL: yield* freshPostgres, PARLEY_DATA_DIR: folder, PARLEY_PORT: "0" }
        const made = yield* serveDemo(folder, settings)
        made.signal("SIGTERM")
        expect(yield* made.exit).toBe(0)

        const http = yield* parley(["http"], settings)
        const demo = { ...made.demo, base_url: yield* listening(http) }
        yield* parley(["worker"], settings)
        const sent = yield* Effect.promise(() => sendTemplate(demo, "+15550199999", "shared"))
        expect(sent.status).toBe(202)
        yield* until("the worker reports it read", async () =>
          (await messageOf(demo, sent.body.data.message_id)).status === "read" ? true : undefined
        )
      }),
    300_000
  )
})
