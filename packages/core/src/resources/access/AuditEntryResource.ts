import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"

/** An entry of the audit log on the wire (docs/reference/administration.md#audit-log). */
export const AuditEntryResource = component(
  "AuditEntry",
  "A change of credentials or status, with its actor and time.",
  {
    id: ids.auditEntry,
    workspaceId,
    applicationId: wire("application_id", Schema.NullOr(ids.application), {
      description: "Null if it concerns the whole workspace."
    }),
    actor: field(Schema.String, { examples: ["admin"] }),
    action: field(Schema.String, { examples: ["api_key.issued"] }),
    subjectId: wire("subject_id", ids.apiKey, { description: "Id of the changed resource." }),
    createdAt
  }
)
