import { Effect, Either } from "effect"
import { invalid } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import { enterLead } from "../../leads/enterLead.js"
import type { Lead } from "../../leads/Lead.js"
import { leadDraft } from "../../leads/LeadInput.js"
import { occupants, placeOf } from "../../leads/stages.js"
import { lookup, lookupById } from "../../ports/Storage.js"
import type { CreateLead } from "../definition/Action.js"
import { fillIn } from "../placeholders.js"
import { type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"

/** Makes a lead of the contact by the rules of `POST /leads` (decisions.md §10). */
export const openLead: Prepare<CreateLead> = ({ occupantHints, storage }, first, action) =>
  Effect.gen(function* () {
    const { workspaceId } = first.run
    const named = [workspaceId, action.pipelineId, action.stage].join(" ")
    const { hinted, pipelines } = yield* storage.read({
      pipelines: lookup("pipelines", { workspaceId }),
      hinted: lookupById("leads", occupantHints.get(named))
    })
    const place = placeOf(action, pipelines)
    const isIn = ({ pipelineId, stage }: Lead) =>
      Either.isRight(place) && pipelineId === place.right.pipeline.id && stage === place.right.stage
    const known = hinted.filter(isIn)
    const present =
      Either.isLeft(place) || known.length > 0
        ? known
        : yield* storage.list(occupants(place.right.pipeline.id, [place.right.stage]))
    if (present[0] !== undefined) occupantHints.set(named, present[0].id)
    return (scope, now, ids) =>
      Either.gen(function* () {
        const { pipeline, stage } = yield* Either.mapLeft(place, invalid)
        const input = yield* complete(draftOf(scope, action))
        const { contact, run, subscribers } = scope
        const given = { ...input, workspaceId: run.workspaceId, contactId: contact.id }
        const { lead, parts } = enterLead(given, { pipeline, stage }, present[0], subscribers, now, ids)
        return { parts, detail: `made the lead ${lead.id} in ${pipeline.name}, ${stage}`, rereads: true }
      })
  })

const draftOf = (scope: RunScope, { currency, title, value }: CreateLead) => {
  const values = valuesOf(scope)
  const filled = typeof value === "string" ? fillIn(value, values).trim() : value
  return leadDraft({
    contact_id: scope.contact.id,
    title: title === null ? null : fillIn(title, values).trim(),
    // Text that is no number stays text, so that the problem is told.
    value: typeof filled === "string" && filled !== "" && Number.isFinite(Number(filled)) ? Number(filled) : filled,
    currency: currency === null ? null : fillIn(currency, values).trim()
  })
}
