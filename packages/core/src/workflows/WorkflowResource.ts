import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
import type { Workflow } from "./Workflow.js"

/** A workflow on the wire of the administration (decisions.md §14). */
export const WorkflowResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  status: Schema.Literal("draft", "published", "unpublished"),
  trigger: Schema.Struct({ type: Schema.Literal("external_event"), event: Schema.String }),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Workflow" })

export const workflowResource = ({ eventName, ...workflow }: Workflow): typeof WorkflowResource.Type => ({
  ...workflow,
  trigger: { type: "external_event", event: eventName }
})
