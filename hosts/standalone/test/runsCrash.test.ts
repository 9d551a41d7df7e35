import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { callAdmin, callApi } from "./calls.js"
import { count } from "./count.js"
import { createContact } from "./createContact.js"
import { databases } from "./databases.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"
import { until } from "./until.js"

const events = 200
const clients = 10
/** How many runs are over when the host is killed. */
const kills = [20, 90, 150]

const actions = [
  { type: "add_tag", tag: "told" },
  { type: "create_task", title: "Order {{data.number}}" },
  { type: "wait", for: "1s" },
  {
    type: "send_message",
    channel: "whatsapp",
    template: "order_shipped",
    variables: ["Ada", "{{data.number}}"],
    name: "told"
  },
  { type: "update_contact", contact: { company: "Order {{data.number}}" } }
]

for (const [name, settingsOf] of databases) {
  describe.concurrent(`kill -9 in the middle of ${events} runs on ${name}`, () => {
    it.scopedLive(
      "loses no run, and has each effect once",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          let host = yield* serveDemo(folder, settings)
          const { demo } = host
          yield* callAdmin(demo, "PATCH", `/applications/${demo.application_id}`, {
            limits: { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
          })
          const contacts = yield* Effect.promise(() =>
            Promise.all(Array.from({ length: events }, (_, n) => createContact(demo, n)))
          )
          const workflow = (yield* callAdmin(demo, "POST", "/workflows", {
            workspace_id: demo.workspace_id,
            name: "Tell",
            trigger: { type: "external_event", event: "order.shipped" },
            actions
          })) as { readonly id: string }
          yield* callAdmin(demo, "POST", `/workflows/${workflow.id}/publish`)

          /** Until it is answered: as often as the host is away. */
          const report = async (number: number): Promise<void> => {
            const body = JSON.stringify({ event: "order.shipped", contact_id: contacts[number], data: { number } })
            const headers = { "Idempotency-Key": `event ${number}` }
            const answer = await callApi(demo, "/events", { method: "POST", headers, body }).catch(() => null)
            if (answer?.status === 202) return
            await setTimeout(50)
            return report(number)
          }
          const waiting = Array.from({ length: events }, (_, n) => n)
          const client = async () => {
            for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) await report(event)
          }
          const reporting = yield* Effect.fork(
            Effect.promise(() => Promise.all(Array.from({ length: clients }, client)))
          )
          const over = async () =>
            (await rowsOf(folder, settings, "SELECT id FROM workflow_runs WHERE status = 'completed'")).length
          const port = new URL(host.url).port
          for (const kill of kills) {
            yield* until(`${kill} runs are over`, async () => ((await over()) >= kill ? true : undefined))
            host.signal("SIGKILL")
            yield* host.exit
            host = yield* serveDemo(folder, { ...settings, PARLEY_PORT: port })
          }
          yield* Fiber.join(reporting)
          yield* until("every run is over", async () => ((await over()) === events ? true : undefined))

          const counted = (table: string) => Effect.promise(() => count(folder, settings, table))
          expect(yield* counted("workflow_runs")).toBe(events)
          expect(yield* counted("tasks")).toBe(events)
          expect(yield* counted("messages")).toBe(events)
          const changed = yield* Effect.promise(() =>
            rowsOf(folder, settings, "SELECT id, version FROM contacts WHERE company LIKE 'Order %'")
          )
          expect(changed).toHaveLength(events)
          // Whatever was cut off, each contact was changed as often as any other.
          expect(new Set(changed.map(({ version }) => Number(version))).size).toBe(1)
        }),
      600_000
    )
  })
}
