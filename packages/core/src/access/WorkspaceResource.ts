import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A workspace on the wire (decisions.md §14). */
export const WorkspaceResource = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  defaultLanguage: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("default_language")),
  timezone: Schema.String,
  status: Schema.Literal("active", "suspended", "unavailable"),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Workspace" })
