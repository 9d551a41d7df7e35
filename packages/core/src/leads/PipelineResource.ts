import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** A pipeline on the wire (decisions.md §14). */
export const PipelineResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  /** In their order. */
  stages: Schema.Array(Schema.Struct({ key: Schema.String, name: Schema.String })),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Pipeline" })
