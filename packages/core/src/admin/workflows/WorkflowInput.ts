import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { oneOf, requiredText, uuid } from "../../input/Fields.js"
import { given, unchangeable } from "../../input/Patch.js"
import { eventName } from "../../workflows/BusinessEventInput.js"

const trigger = Schema.Struct({ type: oneOf(["external_event"]), event: eventName })

/** The body of `POST /workflows` (decisions.md §14). */
export const WorkflowInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  trigger
}).annotations({ identifier: "WorkflowInput" })
export type WorkflowInput = typeof WorkflowInput.Type

/** The body of `PATCH /workflows/{id}`. A trigger is given whole. */
export const WorkflowPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  trigger: given(trigger)
}).annotations({ identifier: "WorkflowPatch" })
export type WorkflowPatch = typeof WorkflowPatch.Type

export const workflowDraft = draft(WorkflowInput)
export const workflowPatchDraft = draft(WorkflowPatch)
