import {
  DryRunInput,
  DryRunResource,
  DryStepResource,
  ListedRunResource,
  PendingResource,
  RunResource,
  StepResource,
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

const trigger = { type: "external_event", event: "order.shipped" }
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
const definition = { conditions, actions }

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

const inputFields = {
  "trigger.event": "The name of the event that starts it, matched exactly.",
  conditions: "What must hold when an event comes; null: nothing.",
  actions: "What is done, in this order."
}

const step: typeof StepResource.Encoded = {
  position: 0,
  type: "send_message",
  name: "on WhatsApp",
  outcome: "failed",
  detail: `the message ${story.messageId} was not delivered in time`,
  started_at: story.began,
  ended_at: "2026-05-04T08:40:00.000Z",
  attempts: 11
}

const dryStep: typeof DryStepResource.Encoded = {
  ...step,
  outcome: "done",
  detail: `the message ${story.messageId} was delivered`,
  ended_at: story.began,
  attempts: 1,
  says: story.text
}

const pending: typeof PendingResource.Encoded = {
  position: 0,
  type: "send_message",
  name: "on WhatsApp",
  started_at: story.began,
  attempts: 1,
  message_id: story.messageId,
  until: "2026-05-04T08:40:00.000Z",
  explanation: `waits until 2026-05-04T08:40:00.000Z for the message ${story.messageId} to be delivered`
}

const event = { id: story.businessEventId, name: "order.shipped" }

const run: typeof ListedRunResource.Encoded = {
  id: story.runId,
  workspace_id,
  workflow_id: story.workflowId,
  application_id: story.applicationId,
  contact_id: story.contactId,
  event,
  status: "waiting",
  reason: null,
  created_at,
  ended_at: null
}

const runFields = {
  application_id: "Whose event started it: it may do what that application may.",
  status: "`skipped`: the workflow's conditions did not hold.",
  reason: "Why it ended before its last action; null where it did not."
}

const stepFields = {
  position: "Of the action in the definition, from 0.",
  name: "By which conditions of later actions speak of it."
}

/** What workflows and their runs are made of. */
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
  }),
  ListedWorkflowRun: entry(ListedRunResource, {
    description: "A run as lists have it: without what became of its actions.",
    example: run,
    fields: runFields
  }),
  WorkflowRun: entry(RunResource, {
    description: "One event on its way through one workflow.",
    example: { ...run, event: { ...event, data: { order: { number: "1042" } } }, version: 2, steps: [], pending },
    fields: {
      ...runFields,
      "event.data": "As it was given.",
      version: "The number of the version that it carries out.",
      steps: "What became of each action so far, in their order.",
      pending: "The action that was begun and is not over; null where there is none."
    }
  }),
  WorkflowDryRunInput: entry(DryRunInput, {
    description: "A definition to try, and an event as an application would send it.",
    example: {
      workspace_id,
      trigger,
      ...definition,
      application_id: story.applicationId,
      contact_id: story.contactId,
      data: { order: { number: "1042" } }
    },
    fields: {
      ...inputFields,
      application_id: "Whose event it would be: the run may do what that application may.",
      contact_id: "Whom the event is about; or `identity`.",
      data: "That of the event."
    }
  }),
  WorkflowDryRun: entry(DryRunResource, {
    description:
      "What a run would come to now, if waits were over at once, messages came as far as was wanted and webhooks answered 200.",
    example: { status: "completed", reason: null, steps: [dryStep] },
    fields: { reason: runFields.reason }
  }),
  DryWorkflowStep: entry(DryStepResource, {
    description: "What one action would come to.",
    example: dryStep,
    fields: { ...stepFields, says: "The text of a message, or the JSON of a call; null of other actions." }
  }),
  WorkflowStep: entry(StepResource, {
    description: "What became of one action.",
    example: step,
    fields: {
      ...stepFields,
      outcome: "`skipped`: its `if` did not hold.",
      detail: "What was done, or why not, for a person.",
      attempts: "How often it was tried, or looked at."
    }
  }),
  PendingWorkflowAction: entry(PendingResource, {
    description: "How far the action at hand has come.",
    example: pending,
    fields: {
      ...stepFields,
      message_id: "The message whose progress it waits for.",
      until: "When it waits no longer; null where that is not known.",
      explanation: "What it waits for, for a person."
    }
  })
}
