import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Ref, TestClock } from "effect"
import { second } from "../../../../src/model/Instant.js"
import { changes, expect as expected, set } from "../../../../src/ports/Changes.js"
import { Storage } from "../../../../src/ports/Storage.js"
import { newTenant, Receiver } from "../../../harness.js"
import { anAction, happens, newContact, newWorkflow, onlyRun, runDesk, runDue } from "../runDesk.js"

for (const [name, database] of databases) {
  layer(runDesk(database), { timeout: 60_000 })(`the condition of a call on ${name}`, (it) => {
    it.effect("is tested before the first try only, even if the receiver changes the tested facts", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant, { tags: ["new"] })
        const { id } = contact
        const url = `https://${tenant.workspace.id}.example.org/hook`
        const { answer } = yield* Receiver
        const storage = yield* Storage
        const tries = yield* Ref.make(0)
        // The receiver removes the tag and answers the first try with 503.
        yield* Ref.set(answer, () =>
          storage
            .commit(
              changes(tenant.workspace.id, {
                expects: [expected("contacts", { id })],
                sets: [set("contacts", { id }, { tags: [] })]
              })
            )
            .pipe(
              Effect.orDie,
              Effect.zipRight(Ref.getAndUpdate(tries, (n) => n + 1)),
              Effect.map((n) => ({ _tag: "Answered" as const, status: n === 0 ? 503 : 200, body: "" }))
            )
        )
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "call_webhook", url, body: null }, { if: { tag: { has: "new" } } })
        ])
        yield* happens(tenant, workflow.eventName, contact, "k")
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({
          status: "waiting",
          pending: { attempts: 1, error: "answered 503" }
        })
        yield* TestClock.adjust(10 * second)
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({ steps: [{ outcome: "done", attempts: 2 }] })
      })
    )
  })
}
