import { Effect, Either } from "effect"
import { refuse } from "../../../errors/Refusal.js"
import type { UpdateLead } from "../../../model/Action.js"
import { lookupById, readByIds } from "../../../ports/Storage.js"
import { moveLead } from "../../../resources/leads/moveLead.js"
import { leadsInStages } from "../../../resources/leads/stages.js"
import { leadOfRun } from "../conditions/leadOfRun.js"
import type { Prepare } from "../runs/RunScope.js"

/** Moves the {@link leadOfRun} to a stage; with `pipeline_id`, that of this pipeline. */
export const moveLeadOfRun: Prepare<UpdateLead> = ({ storage }, { contact, run }, { pipelineId, stage }) =>
  Effect.gen(function* () {
    const where = { contactId: contact.id, ...(pipelineId === null ? {} : { pipelineId }) }
    const [{ leads }, newest] = yield* Effect.all(
      [
        readByIds(storage, { leads: run.steps.flatMap(({ leadId }) => leadId ?? []) }),
        storage.list({ from: "leads", where, after: null, limit: 1 })
      ],
      { concurrency: "unbounded" }
    )
    const created = [...leads.values()]
      .filter((lead) => lead.contactId === contact.id && (pipelineId ?? lead.pipelineId) === lead.pipelineId)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
    const lead = leadOfRun(run.steps, [...created, ...newest])
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
