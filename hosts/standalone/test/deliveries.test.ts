import { describe, expect, it } from "@effect/vitest"
import { startPostgres } from "@parley/testkit"
import { Effect, Fiber } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callAdmin } from "./calls.js"
import { count } from "./count.js"
import { createContact } from "./createContact.js"
import { databases } from "./databases.js"
import { fickleReceiver, type Seen } from "./fickleReceiver.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"
import { until } from "./until.js"

const contacts = 600
const clients = 20
const endpoints = 3
/** How many deliveries to one endpoint may be under way at once. */
const mostInFlight = 32

type Settings = { readonly [name: string]: string }

/** An application without limits, with an endpoint at each of these URLs that hears of new contacts. */
const subscribe = (demo: DemoFile, urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* callAdmin(demo, "PATCH", `/applications/${demo.application_id}`, {
      limits: { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
    })
    for (const url of urls) {
      yield* callAdmin(demo, "POST", `/applications/${demo.application_id}/webhook-endpoints`, {
        url,
        events: ["contact.created"]
      })
    }
  })

/** Clients that create contacts, each one until it is acknowledged; `created` fills meanwhile. */
const load = (demo: DemoFile, created: Set<string>) => {
  let next = 0
  const client = async () => {
    while (next < contacts) created.add(await createContact(demo, next++))
  }
  return Effect.promise(() => Promise.all(Array.from({ length: clients }, client)))
}

/** Makes every retry due, past the host: a minute is long. */
const hasten = (folder: string, settings: Settings) =>
  Effect.promise(() =>
    rowsOf(folder, settings, "UPDATE jobs SET run_at = 0 WHERE lane = 'retries' AND lease_until = 0")
  )

const missing = (seen: ReadonlyArray<Seen>, created: ReadonlySet<string>): number => {
  const told = new Set(seen.filter(({ answered }) => answered === 200).map(({ contact }) => contact))
  return [...created].filter((id) => !told.has(id)).length
}

/** Waits until every contact was told of to every receiver, with a contact now and then so that the host looks. */
const untilAllAreTold = (
  demo: DemoFile,
  folder: string,
  settings: Settings,
  receivers: ReadonlyArray<{ readonly seen: ReadonlyArray<Seen> }>,
  created: ReadonlySet<string>
) => {
  let n = contacts
  return until("every event reaches every endpoint", async () => {
    if (receivers.every(({ seen }) => missing(seen, created) === 0)) return true
    await Effect.runPromise(hasten(folder, settings))
    await createContact(demo, n++)
    return undefined
  })
}

for (const [name, settingsOf] of databases) {
  describe(`kill -9 in the middle of deliveries to receivers that fail on ${name}`, () => {
    it.scopedLive(
      "brings every event to every endpoint, and again only what nobody had written down",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          let host = yield* serveDemo(folder, settings)
          const { demo, url } = host
          const receivers = yield* Effect.forEach(Array.from({ length: endpoints }), (_, n) => fickleReceiver(n + 1))
          yield* subscribe(
            demo,
            receivers.map(({ url }) => url)
          )

          const created = new Set<string>()
          const loading = yield* Effect.fork(load(demo, created))
          const kills = [150, 300, 450]
          for (const kill of kills) {
            yield* until(`${kill} contacts are created`, () => (created.size >= kill ? true : undefined))
            host.signal("SIGKILL")
            yield* host.exit
            host = yield* serveDemo(folder, { ...settings, PARLEY_PORT: new URL(url).port })
            yield* hasten(folder, settings)
          }
          yield* Fiber.join(loading)
          expect(created.size).toBe(contacts)
          for (const { calmDown } of receivers) calmDown()
          yield* untilAllAreTold(demo, folder, settings, receivers, created)
          yield* until("the queue is empty", async () =>
            (await count(folder, settings, "jobs")) === 0 ? true : undefined
          )

          const attempts = yield* Effect.promise(() => rowsOf(folder, settings, "SELECT id, status FROM attempts"))
          const written = new Map<string, number | null>(
            attempts.map(({ id, status }) => [id, status === null ? null : Number(status)])
          )
          // Answered, and the process died before that was committed.
          let lost = 0
          for (const { seen } of receivers) {
            const finished = new Set<string>()
            for (const { answered, attempt, event } of seen) {
              if (answered !== null && !written.has(attempt)) lost++
              if (answered !== null && written.has(attempt)) expect(written.get(attempt)).toBe(answered)
              expect(finished.has(event), `${event} comes again after it was taken and written down`).toBe(false)
              if (answered === 200 && written.has(attempt)) finished.add(event)
            }
          }
          expect(lost).toBeLessThanOrEqual(kills.length * endpoints * mostInFlight)
          const statuses = yield* Effect.promise(() =>
            rowsOf(folder, settings, "SELECT DISTINCT status FROM deliveries")
          )
          expect(statuses).toEqual([{ status: "delivered" }])
        }),
      600_000
    )
  })
}

describe("a Postgres that is restarted in the middle of deliveries", () => {
  it.scopedLive(
    "is used again without a restart of the host, and no event is lost",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => startPostgres({ fsync: true })),
          ({ stop }) => Effect.promise(stop)
        )
        const settings = { PARLEY_DATABASE_URL: server.url }
        const { demo } = yield* serveDemo(folder, settings)
        const receiver = yield* fickleReceiver(7)
        yield* subscribe(demo, [receiver.url])
        const created = new Set<string>()
        const loading = yield* Effect.fork(load(demo, created))
        for (const [after, mode] of [
          [150, "immediate"],
          [350, "fast"]
        ] as const) {
          yield* until(`${after} contacts are created`, () => (created.size >= after ? true : undefined))
          yield* Effect.promise(() => server.restart(mode))
          const before = receiver.seen.length
          yield* until("deliveries go on", () => (receiver.seen.length > before ? true : undefined))
        }
        yield* Fiber.join(loading)
        receiver.calmDown()
        yield* untilAllAreTold(demo, folder, settings, [receiver], created)
        yield* until("the queue is empty", async () =>
          (await count(folder, settings, "jobs")) === 0 ? true : undefined
        )
      }),
    600_000
  )
})
