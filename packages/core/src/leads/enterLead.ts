import type { Subscribers } from "../events/Outbox.js"
import { emit } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Lead } from "./Lead.js"
import { leadEvent } from "./leadEvent.js"
import { entering, type Place } from "./stages.js"

/** A new lead, and what puts it into its place. */
export interface EnteredLead {
  readonly lead: Lead
  readonly parts: ReadonlyArray<Parts>
}

/** Puts a contact as a lead into a stage, and tells the workspace of it; `occupant`: a lead that is in the stage already. */
export const enterLead = (
  given: Pick<Lead, "workspaceId" | "contactId" | "title" | "value" | "currency">,
  place: Place,
  occupant: Lead | undefined,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): EnteredLead => {
  const { contactId, currency, title, value, workspaceId } = given
  const lead: Lead = {
    id: ids.next(now),
    workspaceId,
    contactId,
    pipelineId: place.pipeline.id,
    stage: place.stage,
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
      entering(place, occupant),
      {
        expects: [expect("contacts", { id: contactId })],
        inserts: [row("leads", lead), ...emit(subscribers, leadEvent("lead.created", lead), now, ids)]
      }
    ]
  }
}
