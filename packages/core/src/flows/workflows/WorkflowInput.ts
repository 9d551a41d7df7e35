import { Schema } from "effect"
import { oneOf, optionalText, requiredText, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import { BusinessEventInput, eventName } from "./BusinessEventInput.js"
import { sampleActions } from "./definition/ActionInput.js"
import { sampleConditions } from "./definition/ConditionInput.js"
import { definitionFields, definitionPatchFields } from "./definition/DefinitionInput.js"

const trigger = Schema.Struct({
  type: oneOf(["external_event"]),
  event: field(eventName, { description: "The name of the event that starts it, matched exactly." })
})
const workspaceId = wire("workspace_id", uuid)

/** The definition that the examples of the OpenAPI document have. */
const sampleDefinition = {
  trigger: { type: "external_event", event: "order.shipped" },
  conditions: sampleConditions,
  actions: sampleActions
} as const

/** The body of `POST /workflows` (docs/reference/administration.md#workflow-and-bot-administration). */
export const WorkflowInput = component(
  "WorkflowInput",
  "A workflow to create; it is a draft until it is published.",
  {
    workspaceId,
    name: requiredText(255),
    trigger,
    ...definitionFields
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      name: "Tell of shipping",
      ...sampleDefinition
    }
  }
)
export type WorkflowInput = typeof WorkflowInput.Type

/** The body of `PATCH /workflows/{id}`. Trigger, conditions and actions are each given whole. */
export const WorkflowPatch = component(
  "WorkflowPatch",
  "What to change; conditions and actions are each replaced as a whole. A published workflow keeps its trigger.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    name: given(requiredText(255)),
    trigger: given(trigger),
    ...definitionPatchFields
  },
  { example: { name: "Tell that it was shipped", conditions: null } }
)
export type WorkflowPatch = typeof WorkflowPatch.Type

/** The body of `POST /workflows/validate`: that of `POST /workflows`, where the name may be missing. */
export const WorkflowCheck = component(
  "WorkflowCheck",
  "A definition to check.",
  {
    workspaceId,
    name: optionalText(255),
    trigger,
    ...definitionFields
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      ...sampleDefinition
    }
  }
)
export type WorkflowCheck = typeof WorkflowCheck.Type

const { contactId, data, identity } = BusinessEventInput.fields

/** The body of `POST /workflows/dry-run`: a definition, and an event as an application would send it. */
export const DryRunInput = component(
  "WorkflowDryRunInput",
  "A definition to try, and an event as an application would send it.",
  {
    workspaceId,
    trigger,
    ...definitionFields,
    applicationId: wire("application_id", uuid, {
      description: "Application of the event; the run has that application's permissions."
    }),
    contactId: field(contactId, { description: "The contact of the event; or `identity`." }),
    identity,
    data
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      ...sampleDefinition,
      application_id: sampleIds.application,
      contact_id: sampleIds.contact,
      data: { order: { number: "1042" } }
    }
  }
)
export type DryRunInput = typeof DryRunInput.Type

export const decodeWorkflowInput = partialDecode(WorkflowInput)
export const decodeWorkflowPatch = partialDecode(WorkflowPatch)
export const decodeWorkflowCheck = partialDecode(WorkflowCheck)
