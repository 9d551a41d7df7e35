import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect } from "effect"
import { newTenant } from "../../../harness.js"
import { anAction, happens, newContact, newWorkflow, rowsOf, runDesk, runDue } from "../runDesk.js"

for (const [name, database] of databases) {
  layer(runDesk(database), { timeout: 60_000 })(`the limit of runs per contact on ${name}`, (it) => {
    it.effect("counts each run once, also when their commits conflict", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "update_contact", contact: { first_name: "{{data.n}}" } })
        ])
        const events = Array.from({ length: 90 }, (_, n) => n)
        yield* Effect.forEach(events, (n) => happens(tenant, workflow.eventName, contact, `k${n}`, { data: { n } }))
        yield* runDue(tenant)
        expect((yield* rowsOf(tenant, "workflowRuns")).map(({ status }) => status)).toEqual(
          events.map(() => "completed")
        )
        expect(yield* rowsOf(tenant, "notifications")).toEqual([])
      })
    )
  })
}
