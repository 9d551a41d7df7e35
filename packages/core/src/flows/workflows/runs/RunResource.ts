import { Schema } from "effect"
import { exactDataOf } from "../../../kernel/input/exactNumbers.js"
import { JsonObject } from "../../../kernel/input/JsonObject.js"
import { sampleIds, samples } from "../../../kernel/input/samples.js"
import { component, contactId, createdAt, field, ids, wire, workspaceId } from "../../../kernel/input/wire.js"
import type { Action } from "../../../model/Action.js"
import { type Instant, Timestamp, timestamp } from "../../../model/Instant.js"
import { isOver, type Pending, type Run, RunStatus } from "../../../model/Run.js"
import type { WorkflowVersion } from "../../../model/Workflow.js"
import { untilText } from "../actions/wait.js"
import { type RunJob, runJobStates } from "./explainRunJob.js"

/** A run, and what it carries out. */
export interface KnownRun {
  readonly run: Run
  /** The version that it began with. */
  readonly version: WorkflowVersion
}

/** A run with the state of its job; null if the run ended, or if its job was not found. */
export interface ExplainedRun extends KnownRun {
  readonly job: RunJob | null
}

/** The job of a run, on the wire. */
export const RunJobResource = component("WorkflowRunJob", "State of a run's job in the queue, with the reason.", {
  id: field(ids.job, { description: "For `/jobs/{id}`." }),
  state: field(Schema.Literal(...runJobStates), {
    description: "`retrying`: its last try failed. `parked`: it failed too often, and waits for an administrator.",
    examples: ["retrying"]
  }),
  explanation: field(Schema.String, {
    description: "For people; its wording may change.",
    examples: [`Its job failed 3 times, the last time with: TypeError. The next try is at ${samples.delivered}.`]
  }),
  nextAt: wire("next_at", Schema.NullOr(Timestamp), {
    description: "Time of the next try; for a running job, the end of its lease. Null if it is parked."
  }),
  leaseOwner: wire("lease_owner", Schema.NullOr(Schema.String), { description: "The process that runs it." }),
  error: field(Schema.NullOr(Schema.String), {
    description: "The last error; null if the last try did not fail.",
    examples: ["TypeError"]
  })
})

/** The fields of an action's result, on the wire. */
export const stepFields = {
  position: field(Schema.Number, { description: "Position of the action in the definition, from 0.", examples: [0] }),
  type: field(Schema.String, { examples: ["send_message"] }),
  name: field(Schema.NullOr(Schema.String), {
    description: "Name by which later conditions refer to this action.",
    examples: ["on WhatsApp"]
  }),
  outcome: field(Schema.Literal("done", "failed", "skipped"), { description: "`skipped`: its `if` did not hold." }),
  detail: field(Schema.String, {
    description: "Result or reason, for people; its wording may change.",
    examples: [`the message ${sampleIds.message} was delivered`]
  }),
  startedAt: wire("started_at", Timestamp),
  endedAt: wire("ended_at", Timestamp, { examples: [Date.parse(samples.delivered)] }),
  attempts: field(Schema.Number, { description: "Number of attempts." })
}

/** The result of an action, on the wire. */
export const StepResource = component("WorkflowStep", "Result of one action.", stepFields)

/** The action at hand, on the wire. */
export const PendingResource = component("PendingWorkflowAction", "Progress of the current action.", {
  position: field(Schema.Number, { description: "Position of the action in the definition, from 0.", examples: [0] }),
  type: field(Schema.String, { examples: ["send_message"] }),
  name: field(Schema.NullOr(Schema.String), {
    description: "Name by which later conditions refer to this action.",
    examples: ["on WhatsApp"]
  }),
  startedAt: wire("started_at", Timestamp),
  attempts: Schema.Number,
  messageId: wire("message_id", Schema.NullOr(ids.message), {
    description: "The message whose progress it waits for."
  }),
  until: field(Schema.NullOr(Timestamp), {
    description: "End of the wait; null if unknown.",
    examples: [Date.parse("2026-05-04T08:40:00.000Z")]
  }),
  error: field(Schema.NullOr(Schema.String), {
    description: "The last answer or error of a webhook call that is tried again; else null.",
    examples: [null]
  }),
  explanation: field(Schema.String, {
    description: "What it waits for, for people; its wording may change.",
    examples: [`waits until 2026-05-04T08:40:00.000Z for the message ${sampleIds.message} to be delivered`]
  })
})

const event = { id: ids.businessEvent, name: field(Schema.String, { examples: ["order.shipped"] }) }

const fields = {
  id: ids.workflowRun,
  workspaceId,
  workflowId: wire("workflow_id", ids.workflow),
  applicationId: wire("application_id", ids.application, {
    description: "Application whose event started it; the run has that application's permissions."
  }),
  contactId,
  status: field(RunStatus, {
    description: "`skipped`: the workflow's conditions did not hold.",
    examples: ["waiting"]
  }),
  reason: field(Schema.NullOr(Schema.String), {
    description: "Why it ended before its last action; null if it did not."
  }),
  createdAt,
  endedAt: wire("ended_at", Schema.NullOr(Timestamp))
}

/** What lists have of a run: neither its trace nor the event's data, which may be large. */
export const listedRunColumns = [
  "id",
  "workspaceId",
  "workflowId",
  "applicationId",
  "contactId",
  "businessEventId",
  "eventName",
  "status",
  "reason",
  "createdAt",
  "endedAt"
] as const satisfies ReadonlyArray<keyof Run>

/** A run as it is listed. */
export type ListedRun = Pick<Run, (typeof listedRunColumns)[number]>

/** A run as lists carry it, on the wire. */
export const ListedRunResource = component("ListedWorkflowRun", "A run in lists: without the results of its actions.", {
  ...fields,
  event: Schema.Struct(event)
})

/** A run with its trace: the result of each action so far, and the pending one. */
export const RunResource = component("WorkflowRun", "The execution of one workflow for one event.", {
  ...fields,
  event: Schema.Struct({
    ...event,
    data: field(JsonObject, { description: "The event's data as received.", examples: [{ order: { number: "1042" } }] })
  }),
  version: field(Schema.Number, { description: "Number of the version that it executes.", examples: [2] }),
  steps: field(Schema.Array(StepResource), {
    description: "Results of the actions so far, in order.",
    examples: [[]]
  }),
  pending: field(Schema.NullOr(PendingResource), {
    description: "The action in progress; null without one."
  }),
  job: field(Schema.NullOr(RunJobResource), { description: "Its job in the queue; null after its end." })
})

export const listedRunResource = (run: ListedRun): typeof ListedRunResource.Type => ({
  ...run,
  event: { id: run.businessEventId, name: run.eventName }
})

export const runResource = ({ job, run, version }: ExplainedRun): typeof RunResource.Type => {
  const action = version.definition.actions[run.position]
  return {
    ...run,
    event: { id: run.businessEventId, name: run.eventName, data: exactDataOf(run) },
    version: version.number,
    job,
    pending:
      run.pending === null || action === undefined || isOver(run)
        ? null
        : pendingResource(run.position, action, run.pending, job?.nextAt ?? null)
  }
}

const pendingResource = (
  position: number,
  action: Action,
  pending: Pending,
  nextAt: Instant | null
): typeof PendingResource.Type => ({
  ...pending,
  error: pending.error ?? null,
  position,
  type: action.type,
  name: action.name,
  explanation: pendingExplanation(action, pending, nextAt)
})

/** Explanation of what the current action waits for. `nextAt`: the next try of its job, if known. */
const pendingExplanation = (
  action: Action,
  { attempts, error, localTime, messageId, until }: Pending,
  nextAt: Instant | null
): string => {
  const inTime = until === null ? "" : ` ${untilText(until, localTime)}`
  if (messageId !== null) {
    const status = "wanted" in action && action.wanted !== null ? action.wanted.status : "sent"
    return `waits${inTime} for the message ${messageId} to be ${status}`
  }
  if (inTime !== "") return `waits${inTime}`
  const last = error === undefined ? "" : ` (the last time: ${error})`
  const next = nextAt === null ? "" : ` at ${timestamp(nextAt)}`
  return `failed ${attempts === 1 ? "once" : `${attempts} times`}${last}, and is tried again${next}`
}
