import { Effect, Either } from "effect"
import { refuse } from "../../../errors/Refusal.js"
import type { UpdateLead } from "../../../model/Action.js"
import type { Lead } from "../../../model/Lead.js"
import { lookupById, readByIds } from "../../../ports/Storage.js"
import { moveLead } from "../../../resources/leads/moveLead.js"
import { leadsInStages } from "../../../resources/leads/stages.js"
import type { Prepare } from "../runs/RunScope.js"

/**
 * Moves a lead to a stage: the last one that the run created, else the contact's newest; with `pipeline_id`, of that
 * pipeline only. The contact may have a newer lead of another run.
 */
export const moveLeadOfRun: Prepare<UpdateLead> = ({ storage }, { contact, run }, { pipelineId, stage }) =>
  Effect.gen(function* () {
    const { leads } = yield* readByIds(storage, { leads: run.steps.flatMap(({ leadId }) => leadId ?? []) })
    const isOf = (lead: Lead) => lead.contactId === contact.id && (pipelineId ?? lead.pipelineId) === lead.pipelineId
    const created = [...leads.values()].filter(isOf).sort((one, other) => (one.id < other.id ? 1 : -1))
    const where = { contactId: contact.id, ...(pipelineId === null ? {} : { pipelineId }) }
    const [lead] = created.length > 0 ? created : yield* storage.list({ from: "leads", where, after: null, limit: 1 })
    if (lead === undefined) return () => Either.left(refuse("not_found", {}, "The contact has no lead to move."))
    const [{ pipelines }, present] = yield* Effect.all(
      [
        storage.read({ pipelines: lookupById("pipelines", lead.pipelineId) }),
        storage.list(leadsInStages(lead.pipelineId, [stage]))
      ],
      { concurrency: "unbounded" }
    )
    const [pipeline] = pipelines
    if (pipeline === undefined) return () => Either.left(refuse("not_found", {}, "The lead's pipeline is gone."))
    return ({ subscribers }, now, ids) => {
      if (lead.stage === stage) return Either.right({ parts: [], detail: `the lead ${lead.id} is in ${stage} already` })
      const world = { lead, pipeline, leadInStage: present[0], subscribers }
      return Either.map(moveLead(world, { value: { stage }, problems: {} }, now, ids), ({ changes }) => ({
        parts: changes === null ? [] : [changes],
        detail: `moved the lead ${lead.id} from ${lead.stage} to ${stage}`,
        rereads: true
      }))
    }
  })
