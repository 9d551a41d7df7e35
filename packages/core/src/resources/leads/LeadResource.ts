import { Schema } from "effect"
import { component, contactId, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import { Timestamp, timestamp } from "../../model/Instant.js"
import type { Lead } from "../../model/Lead.js"

const fields = {
  id: ids.lead,
  contactId,
  pipelineId: wire("pipeline_id", ids.pipeline),
  stage: field(Schema.String, { description: "The key of a stage of the pipeline.", examples: ["new"] }),
  title: field(Schema.NullOr(Schema.String), { examples: ["Yearly plan"] }),
  value: field(Schema.NullOr(Schema.Number), { description: "In units of the currency.", examples: [1_200] }),
  currency: field(Schema.NullOr(Schema.String), { examples: ["EUR"] }),
  createdAt,
  updatedAt: wire("updated_at", Timestamp)
}

/** A lead on the wire (docs/reference/leads.md#lead-fields). */
export const LeadResource = component("Lead", "A contact's way through a pipeline.", fields)

/** A lead on the wire of the administration, which sees every workspace. */
export const AdminLeadResource = component("AdminLead", "A contact's way through a pipeline.", {
  ...fields,
  workspaceId
})

/**
 * The lead in wire shape, for answers that are kept and for events; by hand, since the schema takes many times as long.
 */
export const encodeLead = (lead: Lead): typeof LeadResource.Encoded => ({
  id: lead.id,
  contact_id: lead.contactId,
  pipeline_id: lead.pipelineId,
  stage: lead.stage,
  title: lead.title,
  value: lead.value,
  currency: lead.currency,
  created_at: timestamp(lead.createdAt),
  updated_at: timestamp(lead.updatedAt)
})
