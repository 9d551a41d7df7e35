import type { Instant } from "../../model/Instant.js"
import type { Lead } from "../../model/Lead.js"
import { expect, type Parts, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Subscribers } from "../events/Outbox.js"
import { emit } from "../events/Outbox.js"
import { leadEvent } from "./leadEvent.js"
import { expectStage, type PipelineStage } from "./stages.js"

/** A new lead and the parts of the commit that creates it. */
export interface EnteredLead {
  readonly lead: Lead
  readonly parts: ReadonlyArray<Parts>
}

/** Creates a lead for a contact in a stage and emits `lead.created`. */
export const enterLead = (
  given: Pick<Lead, "workspaceId" | "contactId" | "title" | "value" | "currency">,
  pipelineStage: PipelineStage,
  /** A lead that is already in the stage. */
  leadInStage: Lead | undefined,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): EnteredLead => {
  const { contactId, currency, title, value, workspaceId } = given
  const lead: Lead = {
    id: ids.next(now),
    workspaceId,
    contactId,
    pipelineId: pipelineStage.pipeline.id,
    stage: pipelineStage.stage,
    title,
    value,
    currency,
    createdAt: now,
    updatedAt: now,
    version: 1
  }
  return {
    lead,
    parts: [
      expectStage(pipelineStage, leadInStage),
      {
        expects: [expect("contacts", { id: contactId })],
        inserts: [row("leads", lead), ...emit(subscribers, leadEvent("lead.created", lead), now, ids)]
      }
    ]
  }
}
