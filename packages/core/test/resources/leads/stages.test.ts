import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Context, Effect, Layer, Ref } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import type { Pipeline } from "../../../src/model/Pipeline.js"
import type { Changes } from "../../../src/ports/Changes.js"
import { type CommitOutcome, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { AdminLeads } from "../../../src/resources/leads/AdminLeads.js"
import { AdminPipelines } from "../../../src/resources/leads/AdminPipelines.js"
import { decodeLeadInput, decodeLeadPatch } from "../../../src/resources/leads/LeadInput.js"
import { Leads } from "../../../src/resources/leads/Leads.js"
import { decodePipelineInput, decodePipelinePatch } from "../../../src/resources/leads/PipelineInput.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

type Happens = (changes: Changes, storage: Storage) => Effect.Effect<unknown>

/** Runs between the next load of a rule and its commit; receives the changes of that commit. */
class Meanwhile extends Context.Tag("test/Meanwhile")<Meanwhile, Ref.Ref<Happens | null>>() {}

const interrupted = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.effect(
    Storage,
    Effect.gen(function* () {
      const meanwhile = yield* Meanwhile
      const storage = yield* Storage
      const commit: Storage["commit"] = (changes) =>
        Effect.zipRight(
          Effect.flatMap(Ref.getAndSet(meanwhile, null), (happens) => happens?.(changes, storage) ?? Effect.void),
          storage.commit(changes)
        )
      return { ...storage, commit }
    })
  ).pipe(Layer.provideMerge(storage), Layer.provideMerge(Layer.effect(Meanwhile, Ref.make<Happens | null>(null))))

const sales = [
  { key: "new", name: "New" },
  { key: "won", name: "Won" }
]
const onlyNew = decodePipelinePatch({ stages: [{ key: "new", name: "New" }] })
const newPipeline = ({ workspace }: Tenant) =>
  Effect.flatMap(AdminPipelines, ({ create }) =>
    create(decodePipelineInput({ workspace_id: workspace.id, name: "Sales", stages: sales }))
  )
const newContact = ({ caller }: Tenant) =>
  Effect.flatMap(Contacts, ({ create }) =>
    Effect.map(
      create(caller, {
        decoded: decodeContactInput({ email: "ada@example.org" }),
        idempotency: { key: "contact", fingerprint: "contact" }
      }),
      ({ body }) => JSON.parse(body).data.id as string
    )
  )
const start = Effect.gen(function* () {
  const tenant = yield* newTenant
  const pipeline = yield* newPipeline(tenant)
  const contact = yield* newContact(tenant)
  const leads = yield* Leads
  const enter = (stage: string, key: string) =>
    Effect.map(
      leads.create(tenant.caller, {
        decoded: decodeLeadInput({ contact_id: contact, stage }),
        idempotency: { key, fingerprint: key }
      }),
      ({ body }) => JSON.parse(body).data.id as string
    )
  return { pipeline, enter }
})
const stagesNow = ({ id }: Pipeline) =>
  Effect.map(
    Effect.flatMap(AdminPipelines, ({ get }) => get(id)),
    ({ stages }) => stages.map(({ key }) => key)
  )

for (const [name, storage] of databases) {
  const hooked = interrupted(storage)
  const live = Administration.layer.pipe(Layer.provideMerge(engine(hooked)), Layer.provideMerge(hooked))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the stages of a pipeline on ${name}`, (it) => {
    it.effect("cannot be removed with leads, and can be without", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const pipelines = yield* AdminPipelines
        const id = yield* enter("won", "one")
        expect(yield* Effect.flip(pipelines.update(pipeline.id, onlyNew))).toMatchObject({
          details: { stages: ["must keep the stage won, because leads are in it"] }
        })
        yield* (yield* AdminLeads).update(id, decodeLeadPatch({ stage: "new" }))
        yield* pipelines.update(pipeline.id, onlyNew)
        expect(yield* stagesNow(pipeline)).toEqual(["new"])
      })
    )

    it.effect("stay when a lead enters concurrently", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const pipelines = yield* AdminPipelines
        yield* Ref.set(yield* Meanwhile, () => Effect.orDie(enter("won", "meanwhile")))
        expect(yield* Effect.flip(pipelines.update(pipeline.id, onlyNew))).toMatchObject({
          code: "validation_failed"
        })
        expect(yield* stagesNow(pipeline)).toEqual(["new", "won"])
      })
    )

    it.effect("stay when a lead is moved there concurrently", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const pipelines = yield* AdminPipelines
        const leads = yield* AdminLeads
        const id = yield* enter("new", "one")
        yield* Ref.set(yield* Meanwhile, () => Effect.orDie(leads.update(id, decodeLeadPatch({ stage: "won" }))))
        expect(yield* Effect.flip(pipelines.update(pipeline.id, onlyNew))).toMatchObject({
          code: "validation_failed"
        })
        expect((yield* leads.get(id)).stage).toBe("won")
      })
    )

    it.effect("accept no lead once they are removed", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const pipelines = yield* AdminPipelines
        yield* Ref.set(yield* Meanwhile, () => Effect.orDie(pipelines.update(pipeline.id, onlyNew)))
        expect(yield* Effect.flip(enter("won", "late"))).toMatchObject({
          details: { stage: ["must be the key of a stage of the pipeline"] }
        })
      })
    )

    it.effect("accept no lead behind one that left before the removal read the stage", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const pipelines = yield* AdminPipelines
        const leads = yield* AdminLeads
        const meanwhile = yield* Meanwhile
        const first = yield* enter("won", "first")
        let outcome: CommitOutcome | undefined
        yield* Ref.set(meanwhile, (entering, storage) =>
          Effect.gen(function* () {
            yield* leads.update(first, decodeLeadPatch({ stage: "new" }))
            // The removal reads an empty stage; only then the commit arrives that saw the first lead in it.
            yield* Ref.set(meanwhile, () =>
              Effect.map(Effect.orDie(storage.commit(entering)), (came) => {
                outcome = came
              })
            )
            yield* pipelines.update(pipeline.id, onlyNew)
          }).pipe(Effect.orDie)
        )
        expect(yield* Effect.flip(enter("won", "second"))).toMatchObject({ code: "validation_failed" })
        expect(outcome?._tag).toBe("Conflict")
        expect(yield* stagesNow(pipeline)).toEqual(["new"])
      })
    )

    it.effect("accept many concurrent leads, into an empty and a non-empty stage", () =>
      Effect.gen(function* () {
        const { enter, pipeline } = yield* start
        const many = (round: string) =>
          Effect.all(
            Array.from({ length: 40 }, (_, index) => enter("won", `${round}-${index}`)),
            { concurrency: "unbounded" }
          )
        const ids = [...(yield* many("first")), ...(yield* many("second"))]
        const all = yield* (yield* Storage).list({
          from: "leads",
          where: { pipelineId: pipeline.id },
          after: null,
          limit: 100
        })
        expect(all.map(({ id }) => id).sort()).toEqual(ids.sort())
      })
    )
  })
}
