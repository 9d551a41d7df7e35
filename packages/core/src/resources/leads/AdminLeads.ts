import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Lead } from "../../model/Lead.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { LeadPatch } from "./LeadInput.js"
import { type LeadListQuery, requirePipeline } from "./LeadListQuery.js"
import { type MoveLeadWorld, moveLead } from "./moveLead.js"
import { leadsInStages } from "./stages.js"

/**
 * Administration of leads (docs/reference/administration.md#templates-pipelines-and-custom-fields). Fails with
 * `not_found` for an unknown id.
 */
export interface AdminLeads {
  readonly list: (query: PartialDecode<LeadListQuery>) => Effect.Effect<Listed<Lead>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Lead, Refusal | ReadError>
  /** Moves the lead to another stage. Also fails with `invalid_transition`. */
  readonly update: (id: string, decoded: PartialDecode<LeadPatch>) => Effect.Effect<Lead, Refusal | CommitError>
}
export const AdminLeads = Context.GenericTag<AdminLeads>("@parley/core/AdminLeads")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "leads", id)

  const loadMove = (
    id: string,
    { value }: PartialDecode<LeadPatch>
  ): Effect.Effect<MoveLeadWorld, Refusal | ReadError> =>
    Effect.gen(function* () {
      const lead = yield* orNotFound(yield* load(id))
      const [{ applications, contacts, endpoints, pipelines }, present] = yield* Effect.all(
        [
          storage.read({
            ...subscriberLookups(lead.workspaceId),
            contacts: lookup("contacts", { id: lead.contactId }),
            pipelines: lookup("pipelines", { id: lead.pipelineId })
          }),
          value.stage === undefined ? Effect.succeed([]) : storage.list(leadsInStages(lead.pipelineId, [value.stage]))
        ],
        { concurrency: "unbounded" }
      )
      // An erasure deletes the lead after its contact.
      yield* orNotFound(contacts[0])
      const pipeline = yield* orNotFound(pipelines[0])
      return { lead, pipeline, leadInStage: present[0], subscribers: { endpoints, applications } }
    })

  return AdminLeads.of({
    list: (query) => {
      const { contactId, pipelineId, stage, workspaceId } = query.value
      const by = { workspaceId, contactId, pipelineId, stage }
      return listNewestFirst(storage, { from: "leads", by }, requirePipeline(query))
    },
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) =>
      decideAndCommit(loadMove(id, decoded), (world, now, ids) => moveLead(world, decoded, now, ids))
  })
})
