import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import type { Instant } from "../../model/Instant.js"
import type { Lead } from "../../model/Lead.js"
import type { Pipeline } from "../../model/Pipeline.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { LeadPatch } from "./LeadInput.js"
import { leadEvent } from "./leadEvent.js"
import { expectStage, stageProblems } from "./stages.js"

/** What the move of a lead may read. */
export interface MoveLeadWorld {
  readonly lead: Lead
  /** The pipeline of the lead. */
  readonly pipeline: Pipeline
  /** A lead that is already in the new stage. */
  readonly leadInStage: Lead | undefined
  readonly subscribers: Subscribers
}

/**
 * Stage change: moves a lead to another stage of its pipeline (docs/reference/leads.md#stage-change). Fails with
 * `invalid_transition` for its present stage, and if it is in another stage than the expected one. Conflicts with an
 * erasure of the contact.
 */
export const moveLead = (
  { lead, leadInStage, pipeline, subscribers }: MoveLeadWorld,
  decoded: PartialDecode<LeadPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Lead>, Refusal> =>
  Either.gen(function* () {
    const { id, workspaceId, version } = lead
    yield* requireExpected(decoded, lead)
    const { stage } = yield* complete(
      decoded,
      changeProblems({
        workspace_id: [workspaceId, decoded.value.workspaceId],
        contact_id: [lead.contactId, decoded.value.contactId],
        pipeline_id: [lead.pipelineId, decoded.value.pipelineId],
        title: [lead.title, decoded.value.title],
        value: [lead.value, decoded.value.value],
        currency: [lead.currency, decoded.value.currency]
      }),
      stageProblems(decoded.value.stage, pipeline)
    )
    if (stage === undefined) return { changes: null, result: lead }
    if (stage === lead.stage) {
      return yield* Either.left(refuse("invalid_transition", {}, "The lead is in this stage already."))
    }
    const moved: Lead = { ...lead, stage, updatedAt: now, version: version + 1 }
    const event = leadEvent("lead.stage_changed", moved, { from_stage: lead.stage, to_stage: stage })
    return {
      changes: changes(workspaceId, expectStage({ pipeline, stage }, leadInStage), {
        // No event about a contact that is being erased.
        expects: [expect("leads", { id }, { version }), expect("contacts", { id: lead.contactId })],
        sets: [set("leads", { id }, { stage, updatedAt: now })],
        inserts: emit(subscribers, event, now, ids)
      }),
      result: moved
    }
  })
