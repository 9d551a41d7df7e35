import { Effect, Either } from "effect"
import { refuse } from "../../../errors/Refusal.js"
import type { UpdateLead } from "../../../model/Action.js"
import { lookupById } from "../../../ports/Storage.js"
import { moveLead } from "../../../resources/leads/moveLead.js"
import { leadsInStages } from "../../../resources/leads/stages.js"
import type { Prepare } from "../runs/RunScope.js"

/** Moves the contact's newest lead to a stage; with `pipeline_id`, the newest lead of that pipeline. */
export const moveNewestLead: Prepare<UpdateLead> = ({ storage }, { contact }, { pipelineId, stage }) =>
  Effect.gen(function* () {
    const where = { contactId: contact.id, ...(pipelineId === null ? {} : { pipelineId }) }
    const [lead] = yield* storage.list({ from: "leads", where, after: null, limit: 1 })
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
