import { Context, Effect, Either, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { Lead } from "../../leads/Lead.js"
import type { LeadPatch } from "../../leads/LeadInput.js"
import { type MoveLeadWorld, moveLead } from "../../leads/moveLead.js"
import { occupants } from "../../leads/stages.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { inPipeline, type LeadListQuery } from "./LeadListQuery.js"

/** Administration of leads (decisions.md §14). An unknown id is `not_found`. */
export interface AdminLeads {
  readonly list: (query: Draft<LeadListQuery>) => Effect.Effect<Listed<Lead>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Lead, Refusal | ReadError>
  /** Moves it to another stage. Refuses with `invalid_transition` too. */
  readonly update: (id: string, draft: Draft<LeadPatch>) => Effect.Effect<Lead, Refusal | CommitError>
}
export const AdminLeads = Context.GenericTag<AdminLeads>("@parley/core/AdminLeads")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "leads", id)

  const loadMove = (id: string, { value }: Draft<LeadPatch>): Effect.Effect<MoveLeadWorld | undefined, ReadError> =>
    Effect.gen(function* () {
      const lead = yield* load(id)
      if (lead === undefined) return undefined
      const [{ applications, endpoints, pipelines }, present] = yield* Effect.all(
        [
          storage.read({
            ...subscriberLookups(lead.workspaceId),
            pipelines: lookup("pipelines", { id: lead.pipelineId })
          }),
          value.stage === undefined ? Effect.succeed([]) : storage.list(occupants(lead.pipelineId, [value.stage]))
        ],
        { concurrency: "unbounded" }
      )
      const pipeline = pipelines[0]
      return pipeline && { lead, pipeline, occupant: present[0], subscribers: { endpoints, applications } }
    })

  return AdminLeads.of({
    list: (query) => {
      const { contactId, pipelineId, stage, workspaceId } = query.value
      const by = { workspaceId, contactId, pipelineId, stage }
      return listNewestFirst(storage, { from: "leads", by }, inPipeline(query))
    },
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) =>
      decideAndCommit(loadMove(id, draft), (world, now, ids) =>
        Either.flatMap(found(world), (world) => moveLead(world, draft, now, ids))
      )
  })
})

export const layer: Layer.Layer<AdminLeads, never, Storage | Decider> = Layer.effect(AdminLeads, make)
