import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A line of the request log on the wire (decisions.md §14). */
export const LoggedRequestResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  method: Schema.String,
  path: Schema.String,
  status: Schema.Number,
  durationMs: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("duration_ms")),
  errorCode: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("error_code")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "LoggedRequest" })
