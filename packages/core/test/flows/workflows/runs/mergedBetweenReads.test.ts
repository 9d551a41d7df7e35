import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aLead } from "@parley/testkit/rows"
import { Effect, Layer, TestClock } from "effect"
import * as Administration from "../../../../src/administration/Administration.js"
import type { Action } from "../../../../src/model/Action.js"
import { minute } from "../../../../src/model/Instant.js"
import { changes, row } from "../../../../src/ports/Changes.js"
import { Ids } from "../../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../../src/ports/Storage.js"
import { AdminContacts } from "../../../../src/resources/contacts/AdminContacts.js"
import { decodeMergeInput } from "../../../../src/resources/contacts/MergeInput.js"
import { reassignContactData } from "../../../../src/resources/contacts/reassignContactData.js"
import { newTenant } from "../../../harness.js"
import { interruptedReads } from "../../../interruptedReads.js"
import {
  anAction,
  happens,
  newContact,
  newPipeline,
  newWorkflow,
  onlyRun,
  rowsOf,
  runDesk,
  runDue
} from "../runDesk.js"

/** Reassigns the data of the merged contact, as the job of the merge does. */
const gather = (contactId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { jobs } = yield* storage.read({ jobs: lookup("jobs", { id: contactId }) })
    yield* Effect.forEach(jobs, (job) => reassignContactData(storage, job))
  })

for (const [name, storage] of databases) {
  const { once, over } = interruptedReads()
  layer(Layer.provideMerge(Administration.layer, runDesk(over(storage))))(
    `a run whose contact is merged between two of its reads on ${name}`,
    (it) => {
      /** Executes an action about the contact's lead, while the contact is merged, then after the merge. */
      const executed = (actionIn: (pipelineId: string) => Action) =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const other = yield* newContact(tenant)
          const kept = yield* newContact(tenant)
          const pipelineId = yield* newPipeline(tenant, ["new", "won"])
          const workspaceId = tenant.workspace.id
          const id = (yield* Ids).next(1_700_000_000_000)
          const lead = aLead({ id, workspaceId, contactId: other.id, pipelineId, stage: "new" })
          yield* (yield* Storage).commit(changes(workspaceId, { inserts: [row("leads", lead)] }))
          const workflow = yield* newWorkflow(tenant, [actionIn(pipelineId)])
          yield* happens(tenant, workflow.eventName, other, "event-1")
          const contacts = yield* AdminContacts
          once.meanwhile = Effect.orDie(contacts.merge(kept.id, decodeMergeInput({ contact_id: other.id })))
          yield* runDue(tenant)
          expect(yield* onlyRun(tenant)).toMatchObject({ status: "running", steps: [] })
          yield* gather(kept.id)
          yield* TestClock.adjust(minute)
          yield* runDue(tenant)
          const { contactId, status, steps } = yield* onlyRun(tenant)
          expect([contactId, status]).toEqual([kept.id, "completed"])
          return { steps: steps.map(({ outcome }) => outcome), leads: yield* rowsOf(tenant, "leads") }
        })

      it.effect("does not fail for what moved to the remaining contact", () =>
        Effect.gen(function* () {
          const { leads, steps } = yield* executed((pipelineId) =>
            anAction({ type: "update_lead", pipelineId, stage: "won" })
          )
          expect([steps, leads]).toMatchObject([["done"], [{ stage: "won" }]])
        })
      )

      it.effect("does not take a condition for false", () =>
        Effect.gen(function* () {
          const { steps } = yield* executed((pipelineId) =>
            anAction({ type: "add_tag", tag: "new" }, { if: { pipelineStage: { is: "new", pipelineId } } })
          )
          expect(steps).toEqual(["done"])
        })
      )
    }
  )
}
