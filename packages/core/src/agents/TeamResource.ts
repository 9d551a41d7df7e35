import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A team on the wire (decisions.md §14). */
export const TeamResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  agentIds: Schema.propertySignature(Schema.Array(Schema.String)).pipe(Schema.fromKey("agent_ids")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Team" })
