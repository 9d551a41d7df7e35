import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect } from "effect"
import { changes, expect as expected, set } from "../../../../src/ports/Changes.js"
import { readById, Storage } from "../../../../src/ports/Storage.js"
import { newTenant } from "../../../harness.js"
import { anAction, happens, newContact, newPipeline, newWorkflow, rowsOf, runDesk, runDue } from "../runDesk.js"

const newLead = (pipelineId: string) =>
  anAction({ type: "create_lead", pipelineId, stage: "new", title: "lead", value: null, currency: null })

for (const [name, storage] of databases) {
  layer(runDesk(storage))(`create_lead on ${name}`, (it) => {
    it.effect("expects the pipeline's version only when it enters an empty stage", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const pipelineId = yield* newPipeline(tenant, ["new", "won"])
        const workflow = yield* newWorkflow(tenant, [newLead(pipelineId)])
        const { commit, read } = yield* Storage
        /** Version of the pipeline: entering an empty stage raises it. */
        const versionAfter = (key: string) =>
          Effect.gen(function* () {
            yield* happens(tenant, workflow.eventName, contact, key)
            yield* runDue(tenant)
            return (yield* readById({ read }, "pipelines", pipelineId))?.version
          })
        expect([yield* versionAfter("a"), yield* versionAfter("b"), yield* versionAfter("c")]).toEqual([2, 2, 2])
        const present = yield* rowsOf(tenant, "leads")
        yield* commit(
          changes(tenant.workspace.id, {
            expects: present.map(({ id }) => expected("leads", { id })),
            sets: present.map(({ id }) => set("leads", { id }, { stage: "won" }))
          })
        )
        expect([yield* versionAfter("d"), yield* versionAfter("e")]).toEqual([3, 3])
        expect((yield* rowsOf(tenant, "leads")).map(({ stage }) => stage)).toEqual(["won", "won", "won", "new", "new"])
      })
    )
  })
}
