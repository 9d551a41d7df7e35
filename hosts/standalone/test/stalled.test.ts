import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createContacts } from "./createContacts.js"
import { databases } from "./databases.js"
import { journalOf } from "./journal.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"
import { subscribedReceivers } from "./subscribeToContacts.js"
import { until } from "./until.js"
import { untilAllDelivered } from "./untilAllDelivered.js"

const contacts = 300
const endpoints = 3
/** Longer than a lease of 15 s and than the timeout of an attempt. */
const stoppedMs = 17_000

for (const [name, settingsOf] of databases) {
  describe.concurrent(`a host that is stopped for longer than a lease on ${name}`, () => {
    it.scopedLive(
      "repeats no webhook that was accepted, and records the status of each response",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          const host = yield* serveDemo(folder, settings)
          const receivers = yield* subscribedReceivers(host.demo, endpoints)
          const created = new Set<string>()
          const arrived = () => receivers.reduce((sum, { seen }) => sum + seen.length, 0)
          const loading = yield* Effect.fork(createContacts(host.demo, contacts, created))
          yield* until("webhooks arrive", () => (arrived() >= (contacts * endpoints) / 3 ? true : undefined))
          host.signal("SIGSTOP")
          yield* Effect.sleep(stoppedMs)
          host.signal("SIGCONT")
          yield* Fiber.join(loading)
          for (const { calmDown } of receivers) calmDown()
          yield* untilAllDelivered(folder, settings, receivers, created)

          const attempts = yield* Effect.promise(() =>
            rowsOf(folder, settings, "SELECT id, status, error FROM attempts")
          )
          const { misstated, needless, unwritten } = journalOf(receivers, attempts)
          expect({ misstated, needless, unwritten }).toEqual({ misstated: [], needless: [], unwritten: [] })
          expect(host.output()).toContain("this process or the database was stalled")
        }),
      600_000
    )
  })
}
