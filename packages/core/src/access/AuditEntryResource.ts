import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** An entry of the audit log on the wire (decisions.md §14). */
export const AuditEntryResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  applicationId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("application_id")),
  actor: Schema.String,
  action: Schema.String,
  subjectId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("subject_id")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "AuditEntry" })
