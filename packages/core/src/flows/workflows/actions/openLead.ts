import { Effect, Either } from "effect"
import { invalid } from "../../../errors/Refusal.js"
import { complete } from "../../../kernel/input/complete.js"
import { decimalNumber } from "../../../kernel/text/decimalNumber.js"
import type { CreateLead } from "../../../model/Action.js"
import type { Lead } from "../../../model/Lead.js"
import { lookup, lookupById } from "../../../ports/Storage.js"
import { fillIn } from "../../../resources/contacts/placeholders.js"
import { enterLead } from "../../../resources/leads/enterLead.js"
import { decodeLeadInput } from "../../../resources/leads/LeadInput.js"
import { leadsInStages, resolveStage } from "../../../resources/leads/stages.js"
import { type Prepare, type RunScope, type RunServices, valuesOf } from "../runs/RunScope.js"

/** Creates a lead for the contact by the rules of `POST /leads` (docs/reference/leads.md#creating-a-lead). */
export const openLead: Prepare<CreateLead> = (services, first, action) =>
  Effect.gen(function* () {
    const { stageLeadCache, storage } = services
    const { cached, pipelines } = yield* storage.read(leadLookups(services, first, action))
    const pipelineStage = resolveStage(action, pipelines)
    const isIn = ({ pipelineId, stage }: Lead) =>
      Either.isRight(pipelineStage) &&
      pipelineId === pipelineStage.right.pipeline.id &&
      stage === pipelineStage.right.stage
    const known = cached.filter(isIn)
    const present =
      Either.isLeft(pipelineStage) || known.length > 0
        ? known
        : yield* storage.list(leadsInStages(pipelineStage.right.pipeline.id, [pipelineStage.right.stage]))
    if (present[0] !== undefined) stageLeadCache.set(stageName(first, action), present[0].id)
    return (scope, now, ids) =>
      Either.gen(function* () {
        const { pipeline, stage } = yield* Either.mapLeft(pipelineStage, invalid)
        const input = yield* complete(decodedOf(scope, action))
        const { contact, run, subscribers } = scope
        const given = { ...input, workspaceId: run.workspaceId, contactId: contact.id }
        const { lead, parts } = enterLead(given, { pipeline, stage }, present[0], subscribers, now, ids)
        const detail = `made the lead ${lead.id} in ${pipeline.name}, ${stage}`
        return { parts, detail, leadId: lead.id, rereads: true }
      })
  })

const stageName = ({ run }: Pick<RunScope, "run">, { pipelineId, stage }: CreateLead): string =>
  [run.workspaceId, pipelineId, stage].join(" ")

/** The pipelines of the workspace, and a lead that was in the stage lately. */
export const leadLookups = (
  { stageLeadCache }: Pick<RunServices, "stageLeadCache">,
  scope: Pick<RunScope, "run">,
  action: CreateLead
) => ({
  pipelines: lookup("pipelines", { workspaceId: scope.run.workspaceId }),
  cached: lookupById("leads", stageLeadCache.get(stageName(scope, action)))
})

const decodedOf = (scope: RunScope, { currency, title, value }: CreateLead) => {
  const values = valuesOf(scope)
  const filled = typeof value === "string" ? fillIn(value, values).trim() : value
  return decodeLeadInput({
    contact_id: scope.contact.id,
    title: title === null ? null : fillIn(title, values).trim(),
    // Text that is not a number stays text, so that validation reports it.
    value: typeof filled === "string" ? (decimalNumber(filled) ?? filled) : filled,
    currency: currency === null ? null : fillIn(currency, values).trim()
  })
}
