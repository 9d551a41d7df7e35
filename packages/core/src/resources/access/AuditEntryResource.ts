import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"

/** An entry of the audit log on the wire (docs/reference/administration.md#audit-log). */
export const AuditEntryResource = component("AuditEntry", "Who changed what about access, and when.", {
  id: ids.auditEntry,
  workspaceId,
  applicationId: wire("application_id", Schema.NullOr(ids.application), {
    description: "Null where it concerns the workspace as a whole."
  }),
  actor: field(Schema.String, { examples: ["admin"] }),
  action: field(Schema.String, { examples: ["api_key.issued"] }),
  subjectId: wire("subject_id", ids.apiKey, { description: "The id of what it was done to." }),
  createdAt
})
