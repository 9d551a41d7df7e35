import {
  DryRunInput,
  DryRunResource,
  DryStepResource,
  ListedRunResource,
  PendingResource,
  RunResource,
  StepResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"
import { definition, inputFields, trigger } from "./workflowEntries.js"

const workspace_id = story.workspaceId
const created_at = story.began

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

/** What runs of workflows are made of. */
export const workflowRunEntries: Entries = {
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
