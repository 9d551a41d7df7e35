import { Schema } from "effect"
import { Timestamp, timestamp } from "../../Instant.js"
import { JsonObject } from "../../input/JsonObject.js"
import type { Action } from "../definition/Action.js"
import type { WorkflowVersion } from "../Workflow.js"
import { type Pending, type Run, RunStatus } from "./Run.js"

/** A run, and what it carries out. */
export interface KnownRun {
  readonly run: Run
  /** The version that it began with. */
  readonly version: WorkflowVersion
}

/** The fields of what became of an action, on the wire. */
export const stepFields = {
  position: Schema.Number,
  type: Schema.String,
  name: Schema.NullOr(Schema.String),
  outcome: Schema.Literal("done", "failed", "skipped"),
  detail: Schema.String,
  startedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("started_at")),
  endedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("ended_at")),
  attempts: Schema.Number
}

/** What became of an action, on the wire. */
export const StepResource = Schema.Struct(stepFields).annotations({ identifier: "WorkflowStep" })

/** The action at hand, on the wire. */
export const PendingResource = Schema.Struct({
  position: Schema.Number,
  type: Schema.String,
  name: Schema.NullOr(Schema.String),
  startedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("started_at")),
  attempts: Schema.Number,
  messageId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("message_id")),
  until: Schema.NullOr(Timestamp),
  explanation: Schema.String
}).annotations({ identifier: "PendingWorkflowAction" })

const event = { id: Schema.String, name: Schema.String }

const fields = {
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  workflowId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workflow_id")),
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  contactId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("contact_id")),
  status: RunStatus,
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  endedAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("ended_at"))
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
export const ListedRunResource = Schema.Struct({ ...fields, event: Schema.Struct(event) }).annotations({
  identifier: "ListedWorkflowRun"
})

/** A run with its trace: what became of each action so far, and the one at hand. */
export const RunResource = Schema.Struct({
  ...fields,
  event: Schema.Struct({ ...event, data: JsonObject }),
  version: Schema.Number,
  steps: Schema.Array(StepResource),
  pending: Schema.NullOr(PendingResource)
}).annotations({ identifier: "WorkflowRun" })

export const listedRunResource = (run: ListedRun): typeof ListedRunResource.Type => ({
  ...run,
  event: { id: run.businessEventId, name: run.eventName }
})

export const runResource = ({ run, version }: KnownRun): typeof RunResource.Type => {
  const action = version.definition.actions[run.position]
  return {
    ...run,
    event: { id: run.businessEventId, name: run.eventName, data: run.data },
    version: version.number,
    pending: run.pending === null || action === undefined ? null : pendingResource(run.position, action, run.pending)
  }
}

const pendingResource = (position: number, action: Action, pending: Pending): typeof PendingResource.Type => ({
  ...pending,
  position,
  type: action.type,
  name: action.name,
  explanation: explained(action, pending)
})

/** What the action at hand waits for, for a person. */
const explained = (action: Action, { attempts, messageId, until }: Pending): string => {
  const inTime = until === null ? "" : ` until ${timestamp(until)}`
  if (messageId !== null) {
    const status = "wanted" in action && action.wanted !== null ? action.wanted.status : "sent"
    return `waits${inTime} for the message ${messageId} to be ${status}`
  }
  if (inTime !== "") return `waits${inTime}`
  return `failed ${attempts === 1 ? "once" : `${attempts} times`}, and is tried again`
}
