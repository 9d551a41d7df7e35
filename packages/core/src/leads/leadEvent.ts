import type { NewEvent } from "../events/Outbox.js"
import type { Lead } from "./Lead.js"
import { encodeLead } from "./LeadResource.js"

/** An event about a lead as it is now; heard in the whole workspace (spec, Event types). */
export const leadEvent = (
  type: "lead.created" | "lead.stage_changed",
  lead: Lead,
  more: { readonly [key: string]: unknown } = {}
): NewEvent => ({
  workspaceId: lead.workspaceId,
  type,
  applicationId: null,
  connectionId: null,
  subjectId: lead.id,
  data: { lead: encodeLead(lead), ...more }
})
