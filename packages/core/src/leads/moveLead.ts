import { Either } from "effect"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changeProblems } from "../input/Patch.js"
import { changes, expect, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Lead } from "./Lead.js"
import type { LeadPatch } from "./LeadInput.js"
import { leadEvent } from "./leadEvent.js"
import type { Pipeline } from "./Pipeline.js"
import { entering, stageProblems } from "./stages.js"

/** All that the move of a lead may look at. */
export interface MoveLeadWorld {
  readonly lead: Lead
  /** Its own. */
  readonly pipeline: Pipeline
  /** A lead that is in the new stage already. */
  readonly occupant: Lead | undefined
  readonly subscribers: Subscribers
}

/** Moves a lead to another stage of its pipeline. To the one where it is: 409 `invalid_transition`. */
export const moveLead = (
  { lead, occupant, pipeline, subscribers }: MoveLeadWorld,
  draft: Draft<LeadPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Lead>, Refusal> =>
  Either.gen(function* () {
    const { id, workspaceId, version } = lead
    const { stage } = yield* complete(
      draft,
      changeProblems({
        workspace_id: [workspaceId, draft.value.workspaceId],
        contact_id: [lead.contactId, draft.value.contactId],
        pipeline_id: [lead.pipelineId, draft.value.pipelineId]
      }),
      stageProblems(draft.value.stage, pipeline)
    )
    if (stage === undefined) return { changes: null, result: lead }
    if (stage === lead.stage) {
      return yield* Either.left(refuse("invalid_transition", {}, "The lead is in this stage already."))
    }
    const moved: Lead = { ...lead, stage, updatedAt: now, version: version + 1 }
    const event = leadEvent("lead.stage_changed", moved, { from_stage: lead.stage, to_stage: stage })
    return {
      changes: changes(workspaceId, entering({ pipeline, stage }, occupant), {
        expects: [expect("leads", { id }, { version })],
        sets: [set("leads", { id }, { stage, updatedAt: now })],
        inserts: emit(subscribers, event, now, ids)
      }),
      result: moved
    }
  })
