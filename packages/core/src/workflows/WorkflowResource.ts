import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
import { definitionResourceFields } from "./definition/DefinitionInput.js"
import type { Workflow, WorkflowVersion } from "./Workflow.js"

const createdAt = Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))

const fields = {
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  status: Schema.Literal("draft", "published", "unpublished"),
  trigger: Schema.Struct({ type: Schema.Literal("external_event"), event: Schema.String }),
  ...definitionResourceFields,
  publishedVersion: Schema.propertySignature(Schema.NullOr(Schema.Number)).pipe(Schema.fromKey("published_version")),
  hasUnpublishedChanges: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("has_unpublished_changes")),
  createdAt
}

/** A workflow on the wire of the administration (decisions.md §14), as it was edited last. */
export const WorkflowResource = Schema.Struct(fields).annotations({ identifier: "Workflow" })

/** A workflow with its signing secret, as it is shown once: when it is made, and when the secret is replaced. */
export const WorkflowWithSecretResource = Schema.Struct({ ...fields, secret: Schema.String }).annotations({
  identifier: "WorkflowWithSecret"
})

/** What a workflow was published as, on the wire. */
export const WorkflowVersionResource = Schema.Struct({
  id: Schema.String,
  workflowId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workflow_id")),
  number: Schema.Number,
  ...definitionResourceFields,
  createdAt
}).annotations({ identifier: "WorkflowVersion" })

/** That a definition can be published; all else is a refusal. */
export const WorkflowCheckResource = Schema.Struct({ valid: Schema.Literal(true) }).annotations({
  identifier: "WorkflowCheckResult"
})

export const workflowResource = (workflow: Workflow): typeof WorkflowResource.Type => ({
  ...workflow,
  ...workflow.definition,
  trigger: { type: "external_event", event: workflow.eventName },
  // What was published before workflows had actions has no version.
  publishedVersion: workflow.status === "published" && workflow.versions > 0 ? workflow.versions : null,
  hasUnpublishedChanges: workflow.edited
})

export const workflowVersionResource = (version: WorkflowVersion): typeof WorkflowVersionResource.Type => ({
  ...version,
  ...version.definition
})
