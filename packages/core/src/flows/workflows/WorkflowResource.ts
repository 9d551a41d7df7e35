import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import type { Workflow, WorkflowVersion } from "../../model/Workflow.js"
import { definitionResourceFields } from "./definition/DefinitionInput.js"

const fields = {
  id: ids.workflow,
  workspaceId,
  name: field(Schema.String, { examples: ["Tell of shipping"] }),
  status: field(Schema.Literal("draft", "published", "unpublished"), { examples: ["published"] }),
  trigger: Schema.Struct({
    type: Schema.Literal("external_event"),
    event: field(Schema.String, {
      description: "The name of the event that starts it, matched exactly.",
      examples: ["order.shipped"]
    })
  }),
  ...definitionResourceFields,
  publishedVersion: wire("published_version", Schema.NullOr(Schema.Number), {
    description: "Number of the version that events start; null while unpublished.",
    examples: [2]
  }),
  hasUnpublishedChanges: wire("has_unpublished_changes", Schema.Boolean, {
    description: "Whether conditions or actions differ from the published version."
  }),
  createdAt
}

/**
 * A workflow on the wire of the administration (docs/reference/administration.md#workflow-and-bot-administration), as
 * it was edited last.
 */
export const WorkflowResource = component(
  "Workflow",
  "An automation that a business event starts once it is published; with its latest edits.",
  fields
)

/** A workflow with its signing secret, as it is shown once: when it is made, and when the secret is replaced. */
export const WorkflowWithSecretResource = component(
  "WorkflowWithSecret",
  "A workflow with the secret that signs the webhooks it calls, shown this once.",
  { ...fields, secret: field(Schema.String, { examples: [samples.signingSecret] }) }
)

/** What a workflow was published as, on the wire. */
export const WorkflowVersionResource = component(
  "WorkflowVersion",
  "A published definition of a workflow. It never changes: a run keeps the version that it started with.",
  {
    id: ids.workflowVersion,
    workflowId: wire("workflow_id", ids.workflow),
    number: field(Schema.Number, { description: "From 1.", examples: [2] }),
    ...definitionResourceFields,
    createdAt
  }
)

/** That a definition can be published; all else is a refusal. */
export const WorkflowCheckResource = component(
  "WorkflowCheckResult",
  "The definition can be published; problems are answered as `validation_failed`.",
  { valid: Schema.Literal(true) }
)

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
