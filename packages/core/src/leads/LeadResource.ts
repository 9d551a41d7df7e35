import { Schema } from "effect"
import { Timestamp, timestamp } from "../Instant.js"
import type { Lead } from "./Lead.js"

const fields = {
  id: Schema.String,
  contactId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("contact_id")),
  pipelineId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("pipeline_id")),
  stage: Schema.String,
  title: Schema.NullOr(Schema.String),
  value: Schema.NullOr(Schema.Number),
  currency: Schema.NullOr(Schema.String),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  updatedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("updated_at"))
}

/** A lead on the wire (decisions.md §10). */
export const LeadResource = Schema.Struct(fields).annotations({ identifier: "Lead" })

/** A lead on the wire of the administration, which sees every workspace. */
export const AdminLeadResource = Schema.Struct({
  ...fields,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id"))
}).annotations({ identifier: "AdminLead" })

/** The lead in wire shape, for answers that are kept and for events; by hand, since the schema takes many times as long. */
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
