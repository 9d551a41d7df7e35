import { monitorEventLoopDelay } from "node:perf_hooks"
import { describe, expect, it } from "@effect/vitest"
import { defaultSettings } from "@parley/core"
import { startPostgres } from "@parley/testkit/postgres"
import { Effect, Fiber } from "effect"
import { createContacts } from "./createContacts.js"
import { databases } from "./databases.js"
import { journalOf } from "./journal.js"
import { type ParleyProcess, serveDemo, temporaryFolder } from "./processes.js"
import { reportEvery } from "./reportEvery.js"
import { rowsOf } from "./rowsOf.js"
import { subscribedReceivers, subscribeToContacts } from "./subscribeToContacts.js"
import { unreliableReceiver } from "./unreliableReceiver.js"
import { until } from "./until.js"
import { hasten, jobsLeft, untilAllDelivered } from "./untilAllDelivered.js"
import { workers } from "./workers.js"

/** Number of events (docs/contributing.md); a few by default. */
const wanted = process.env.PARLEY_TEST_DELIVERIES
/** Number of webhooks after which a worker is killed; takes a few seconds. */
const { contacts, timeoutMs, webhooksOfALife } = wanted
  ? { contacts: Number(wanted), webhooksOfALife: 1_000, timeoutMs: 7_200_000 }
  : { contacts: 600, webhooksOfALife: 450, timeoutMs: 600_000 }
const endpoints = 3
/** Maximum number of concurrent deliveries to one endpoint, which a kill may leave unrecorded. */
const maxInFlight = defaultSettings.lanes.deliveries.perSubject

/** Creation time of an id (UUIDv7), in ms. */
const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16)

/** Waits for a condition; dies with the worker's output if the worker ends first. */
const whileWorking = (worker: ParleyProcess, what: string, isSo: () => boolean, state: () => Promise<string>) =>
  Effect.raceFirst(
    until(what, () => isSo() || undefined, state),
    Effect.flatMap(worker.exit, (code) => Effect.die(new Error(`the worker ended with ${code}: ${worker.output()}`)))
  )

// In sequence: a worker that gets little CPU beside others may read answers after 10 s, which counts as failures.
for (const [name, settingsOf] of databases) {
  describe(`kill -9 in the middle of deliveries to receivers that fail on ${name}`, () => {
    it.scopedLive(
      "delivers every event to every endpoint, and repeats only deliveries that were not recorded",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          const first = yield* serveDemo(folder, settings)
          const receivers = yield* subscribedReceivers(first.demo, endpoints)
          first.signal("SIGTERM")
          yield* first.exit

          const delay = monitorEventLoopDelay()
          delay.enable()
          const created = new Set<string>()
          const arrived = () => receivers.reduce((sum, { seen }) => sum + seen.length, 0)
          const reported = () => receivers.reduce((sum, { reported }) => sum + reported.size, 0)
          const startWorker = yield* workers(folder, settings, new URL(first.url).port)
          const loading = yield* Effect.fork(createContacts(first.demo, contacts, created))
          let kills = 0
          const progress = () => `${created.size} events, ${reported()} taken of ${arrived()} webhooks, ${kills} kills`
          if (wanted) yield* reportEvery("10 seconds", name, progress)
          let lastDeath = 0
          while (reported() + webhooksOfALife < contacts * endpoints) {
            const worker = yield* startWorker
            const enough = arrived() + webhooksOfALife
            const state = async () => `${progress()}. ${await jobsLeft(folder, settings)}. ${worker.output()}`
            yield* whileWorking(worker, `${enough} webhooks arrive`, () => arrived() >= enough, state)
            worker.signal("SIGKILL")
            yield* worker.exit
            lastDeath = Date.now()
            kills++
            yield* hasten(folder, settings)
          }
          yield* startWorker
          yield* Fiber.join(loading)
          expect(created.size).toBe(contacts)
          for (const { calmDown } of receivers) calmDown()
          yield* untilAllDelivered(folder, settings, receivers, created)

          const rows = (statement: string) => Effect.promise(() => rowsOf(folder, settings, statement))
          const attempts = yield* rows("SELECT id, status, error FROM attempts")
          const { again, misstated, needless, seen, unwritten } = journalOf(receivers, attempts)
          if (wanted) {
            process.stderr.write(
              `${name}: ${progress()}, ${attempts.length} attempts written, ${unwritten.length} not, ${again} came again\n`
            )
          }
          expect(needless).toEqual([])
          // Receivers that stand still for 10 s do not answer in time.
          expect(misstated, `the receivers stood still for up to ${Math.round(delay.max / 1e6)} ms`).toEqual([])
          expect(attempts.length).toBe(seen.size - unwritten.length)
          expect(unwritten.length).toBeLessThanOrEqual(kills * endpoints * maxInFlight)
          // The last worker was not killed, so it recorded every response.
          expect(unwritten.filter((id) => timeOf(id) > lastDeath)).toEqual([])
          const deliveries = yield* rows("SELECT status, count(*) AS n FROM deliveries GROUP BY status")
          expect(deliveries.map(({ n, status }) => [status, Number(n)])).toEqual([["delivered", contacts * endpoints]])
        }),
      timeoutMs
    )
  })
}

describe("Postgres restarted during deliveries", () => {
  it.scopedLive(
    "reconnects without a restart of the host, and loses no event",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => startPostgres({ fsync: true })),
          ({ stop }) => Effect.promise(stop)
        )
        const settings = { PARLEY_DATABASE_URL: server.url }
        const { demo } = yield* serveDemo(folder, settings)
        const receiver = yield* unreliableReceiver(7)
        yield* subscribeToContacts(demo, [receiver.url])
        const created = new Set<string>()
        const loading = yield* Effect.fork(createContacts(demo, 600, created))
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
        yield* untilAllDelivered(folder, settings, [receiver], created)
      }),
    600_000
  )
})
