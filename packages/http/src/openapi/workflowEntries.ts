import {
  WorkflowCheck,
  WorkflowCheckResource,
  WorkflowInput,
  WorkflowPatch,
  WorkflowResource,
  WorkflowVersionResource,
  WorkflowWithSecretResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId
const created_at = story.began

/** The trigger that the examples have. */
export const trigger = { type: "external_event", event: "order.shipped" }
const conditions = { not: { tag: { has: "no updates" } } }
const actions = [
  {
    type: "send_message",
    name: "on WhatsApp",
    channel: "whatsapp",
    template: "order_shipped",
    language: "en",
    variables: ["{{contact.first_name}}", "{{data.order.number}}"],
    wait_until: "delivered",
    within: "10m",
    on_error: "continue"
  },
  {
    type: "send_email",
    if: { step: { failed: "on WhatsApp" } },
    subject: "Your order {{data.order.number}}",
    body: "Hello {{contact.first_name}}, your order is on its way."
  }
]
/** The definition that the examples have. */
export const definition = { conditions, actions }

const workflow: typeof WorkflowResource.Encoded = {
  id: story.workflowId,
  workspace_id,
  name: "Tell of shipping",
  status: "published",
  trigger: { type: "external_event", event: "order.shipped" },
  ...definition,
  published_version: 2,
  has_unpublished_changes: false,
  created_at
}

const workflowFields = {
  "trigger.event": "The name of the event that starts it, matched exactly.",
  published_version: "The number of the version that events start; null where none does.",
  has_unpublished_changes: "Whether conditions or actions differ from what was published last."
}

/** What inputs say of the fields of a definition. */
export const inputFields = {
  "trigger.event": "The name of the event that starts it, matched exactly.",
  conditions: "What must hold when an event comes; null: nothing.",
  actions: "What is done, in this order."
}

/** What workflows are made of. */
export const workflowEntries: Entries = {
  Workflow: entry(WorkflowResource, {
    description: "An automation that a business event starts, once it is published; as it was edited last.",
    example: workflow,
    fields: workflowFields
  }),
  WorkflowWithSecret: entry(WorkflowWithSecretResource, {
    description: "A workflow with the secret that the webhooks it calls are signed with, this once.",
    example: { ...workflow, secret: story.endpointSecret },
    fields: workflowFields
  }),
  WorkflowVersion: entry(WorkflowVersionResource, {
    description: "What a workflow was published as. It never changes: a run keeps the version that it began with.",
    example: { id: story.workflowVersionId, workflow_id: story.workflowId, number: 2, ...definition, created_at },
    fields: { number: "From 1." }
  }),
  WorkflowInput: entry(WorkflowInput, {
    description: "A workflow to make; it is a draft until it is published.",
    example: { workspace_id, name: "Tell of shipping", trigger, ...definition },
    fields: inputFields
  }),
  WorkflowPatch: entry(WorkflowPatch, {
    description:
      "What to change; conditions and actions are each replaced as a whole. A published workflow keeps its trigger.",
    example: { name: "Tell that it was shipped", conditions: null }
  }),
  WorkflowCheck: entry(WorkflowCheck, {
    description: "A definition to check.",
    example: { workspace_id, trigger, ...definition },
    fields: inputFields
  }),
  WorkflowCondition: {
    description: `What must hold, with exactly one key: \`all\`, \`any\` and \`not\` combine others; each other key looks at one thing, \
with one operator that reads like words. Text such as \`keyword.in\` may have placeholders.`,
    examples: {
      combined: { all: [{ lifecycle_stage: { is: "customer" } }, conditions] },
      "by the event": { data: { key: "order.total", is_more_than: 100 } },
      "by the clock": { time: { days: ["mon", "tue"], from: "09:00", until: "17:00", timezone: "contact" } },
      "by what came before": { step: { failed: "on WhatsApp" } }
    }
  },
  WorkflowAction: {
    description: `What is done, by its \`type\`. Every action may have a \`name\`, an \`if\`, and \`on_error\`: whether the run stops \
or goes on where it fails. Text has placeholders: \`{{data.<key>}}\`, \`{{contact.<field>}}\`, \`{{event}}\`; durations are \`90s\`, \
\`10m\`, \`2h\`, \`3d\`.`,
    examples: {
      "a message": actions[0],
      "a tag": { type: "add_tag", tag: "shipped" },
      "a wait": { type: "wait", until: "09:00", timezone: "contact" },
      "a call": { type: "call_webhook", url: "https://shop.example.org/told", body: { order: "{{data.order.number}}" } }
    }
  },
  WorkflowCheckResult: entry(WorkflowCheckResource, {
    description: "That nothing keeps it from being published; what does is told as `validation_failed`.",
    example: { valid: true }
  })
}
