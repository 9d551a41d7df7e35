import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A notification on the wire (decisions.md §14). */
export const NotificationResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  applicationId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("application_id")),
  kind: Schema.String,
  subjectId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("subject_id")),
  message: Schema.String,
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Notification" })
