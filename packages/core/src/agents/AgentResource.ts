import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** An agent on the wire (decisions.md §14). */
export const AgentResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  status: Schema.Literal("active", "inactive"),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Agent" })
