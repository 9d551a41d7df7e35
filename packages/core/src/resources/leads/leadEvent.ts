import type { Lead } from "../../model/Lead.js"
import type { NewEvent } from "../events/Outbox.js"
import { encodeLead } from "./LeadResource.js"

/**
 * An event about a lead in its state as of now. All applications of the workspace may receive it
 * (docs/reference/events.md#who-receives-an-event).
 */
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
