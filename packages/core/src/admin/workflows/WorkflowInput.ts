import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { oneOf, optionalText, requiredText, uuid } from "../../input/Fields.js"
import { given, unchangeable } from "../../input/Patch.js"
import { BusinessEventInput, eventName } from "../../workflows/BusinessEventInput.js"
import { definitionFields, definitionPatchFields } from "../../workflows/definition/DefinitionInput.js"

const trigger = Schema.Struct({ type: oneOf(["external_event"]), event: eventName })
const workspaceId = Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id"))

/** The body of `POST /workflows` (decisions.md §14). */
export const WorkflowInput = Schema.Struct({
  workspaceId,
  name: requiredText(255),
  trigger,
  ...definitionFields
}).annotations({ identifier: "WorkflowInput" })
export type WorkflowInput = typeof WorkflowInput.Type

/** The body of `PATCH /workflows/{id}`. Trigger, conditions and actions are each given whole. */
export const WorkflowPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  trigger: given(trigger),
  ...definitionPatchFields
}).annotations({ identifier: "WorkflowPatch" })
export type WorkflowPatch = typeof WorkflowPatch.Type

/** The body of `POST /workflows/validate`: that of `POST /workflows`, where the name may be missing. */
export const WorkflowCheck = Schema.Struct({
  workspaceId,
  name: optionalText(255),
  trigger,
  ...definitionFields
}).annotations({ identifier: "WorkflowCheck" })
export type WorkflowCheck = typeof WorkflowCheck.Type

const { contactId, data, identity } = BusinessEventInput.fields

/** The body of `POST /workflows/dry-run`: a definition, and an event as an application would send it. */
export const DryRunInput = Schema.Struct({
  workspaceId,
  trigger,
  ...definitionFields,
  applicationId: Schema.propertySignature(uuid).pipe(Schema.fromKey("application_id")),
  contactId,
  identity,
  data
}).annotations({ identifier: "WorkflowDryRunInput" })
export type DryRunInput = typeof DryRunInput.Type

export const workflowDraft = draft(WorkflowInput)
export const workflowPatchDraft = draft(WorkflowPatch)
export const workflowCheckDraft = draft(WorkflowCheck)
