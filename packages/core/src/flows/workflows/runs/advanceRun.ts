import { Either } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { Decision } from "../../../kernel/Decider.js"
import type { Action } from "../../../model/Action.js"
import type { Instant } from "../../../model/Instant.js"
import type { Job } from "../../../model/Job.js"
import { hasBegun, isOver, type Run } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import { changes, check, endJob, expect, type Parts, type Settle, set, settleJob } from "../../../ports/Changes.js"
import type { OutboundResult } from "../../../ports/HttpSender.js"
import type { Ids } from "../../../ports/Ids.js"
import { callState } from "../actions/callWebhook.js"
import { messageProgress, type Progress, pendingMessage } from "../actions/messageProgress.js"
import { wait } from "../actions/wait.js"
import type { ConditionFacts } from "../conditions/ConditionFacts.js"
import { conditionHolds, explainCondition } from "../conditions/conditionHolds.js"
import {
  applyActionState,
  beginCall,
  endRun,
  failAction,
  type Next,
  type RunProgress,
  recordStep,
  withResult
} from "./RunProgress.js"
import { type Prepared, type RunScope, valuesOf } from "./RunScope.js"
import { settledRun, unsettledRunClaims } from "./runJob.js"

/** What the rules of a run read. */
export interface RunWorld {
  readonly scope: RunScope
  readonly definition: Definition
  /** What conditions test in addition to the contact. */
  readonly facts: Pick<ConditionFacts, "channels" | "conversation" | "leads" | "lastInboundText">
  /** The loaded next actions, by position. */
  readonly prepared: ReadonlyMap<number, Prepared>
  /** The message whose progress the current action waits for. */
  readonly message: Progress | undefined
  /** The URL in clear text and the result of the webhook call of the action at `position`, if it was called. */
  readonly callResult: { readonly position: number; readonly url: string; readonly result: OutboundResult } | null
  /** Why the run may not start, with the notification; null if it may. */
  readonly refused: { readonly reason: string; readonly parts: Parts } | null
}

/** Maximum number of unsettled claims of a run's job, before the run fails. */
const maxClaims = 10

/**
 * Executes the next actions of a run (docs/reference/automations.md#steps-and-commits). One commit contains their
 * changes and the progress of the run. It ends at an action that waits, calls a webhook, or needs a new read.
 */
export const advanceRun = (world: RunWorld, job: Job, now: Instant, ids: Ids): Either.Either<Decision<Next>> => {
  const { scope } = world
  const runProgress = runActions(world, unsettledRunClaims(job), now, ids)
  const next = runProgress.next ?? over(runProgress.scope.run)
  const settle = settleOf(job, next, now)
  const progress = runProgress.scope.run === scope.run ? {} : progressed(scope.run, runProgress.scope.run)
  const nothing = progress.sets === undefined && settle === null
  return Either.right({
    changes: nothing ? null : changes(scope.run.workspaceId, progress, { settle }, ...runProgress.parts),
    result: next
  })
}

/** Executes the actions that one commit can contain. `claims`: unsettled claims of the job. */
export const runActions = (world: RunWorld, claims: number, now: Instant, ids: Ids): RunProgress => {
  const begin: RunProgress = { scope: world.scope, parts: [], next: null }
  if (isOver(world.scope.run)) return { ...begin, next: over(world.scope.run) }
  let progress = entered(world, begin, claims, now)
  while (progress.next === null) progress = takeAction(world, progress, now, ids)
  return progress
}

/** Checks claims, the limit of runs and the conditions of the workflow before the first action. */
const entered = (world: RunWorld, progress: RunProgress, claims: number, now: Instant): RunProgress => {
  const { run } = progress.scope
  if (claims > maxClaims) {
    const reason = `its job was claimed ${maxClaims} times without a result; the log of the workers has the reason`
    return endRun(progress, "failed", reason, now)
  }
  if (hasBegun(run) || world.callResult !== null) return progress
  if (world.refused !== null) {
    return endRun({ ...progress, parts: [world.refused.parts] }, "stopped", world.refused.reason, now)
  }
  const { conditions } = world.definition
  if (conditions === null) return progress
  const facts = factsOf(world, progress, now)
  return conditionHolds(conditions, facts)
    ? progress
    : endRun(progress, "skipped", `its conditions do not hold: ${explainCondition(conditions, facts)}`, now)
}

const takeAction = (world: RunWorld, progress: RunProgress, now: Instant, ids: Ids): RunProgress => {
  const { contact, run, workspace } = progress.scope
  const action = world.definition.actions[run.position]
  if (action === undefined) return endRun(progress, "completed", null, now)
  const callResult = world.callResult?.position === run.position ? world.callResult : null
  // The condition is tested before the call only: the receiver may have changed what it tests.
  if (run.pending === null && callResult === null && action.if !== null) {
    const facts = factsOf(world, progress, now)
    if (!conditionHolds(action.if, facts)) {
      return recordStep(progress, action, { outcome: "skipped", detail: explainCondition(action.if, facts) }, now)
    }
  }
  switch (action.type) {
    case "wait":
      return applyActionState(progress, action, wait(action, run.pending, contact, workspace.timezone, now), now)
    case "call_webhook":
      return callResult === null
        ? beginCall(progress, action, now)
        : applyActionState(progress, action, callState(callResult, run.pending, now), now)
    default:
      return execute(world, progress, action, now, ids)
  }
}

const execute = (world: RunWorld, progress: RunProgress, action: Action, now: Instant, ids: Ids): RunProgress => {
  const { pending, position } = progress.scope.run
  const wanted = action.type === "send_message" || action.type === "send_email" ? action.wanted : null
  if (pending !== null && wanted !== null) {
    return applyActionState(progress, action, messageProgress(world.message, wanted, pending, now), now)
  }
  const prepared = world.prepared.get(position)
  if (prepared === undefined) return again(progress)
  const decided = prepared(progress.scope, now, ids)
  if (Either.isLeft(decided)) return failAction(progress, action, refusalText(decided.left), now)
  const result = decided.right
  // A commit writes each row once: an action that writes a row again is part of the next commit.
  if (result.parts.some((part) => touches(progress.parts, part))) return again(progress)
  const after = withResult(progress, result)
  if (wanted !== null && result.messageId !== undefined && result.unreachable === undefined) {
    return applyActionState(after, action, pendingMessage(result.messageId, wanted, now), now)
  }
  const done =
    result.unreachable === undefined
      ? recordStep(after, action, { ...result, outcome: "done" }, now)
      : failAction(after, action, result.unreachable, now)
  // A failed action may have ended the run.
  if (done.next !== null) return done
  return result.rereads === true && world.definition.actions[position + 1] !== undefined ? again(done) : done
}

const over = ({ status }: Run): Next => ({ _tag: "Over", outcome: status })

const again = (progress: RunProgress): RunProgress => ({ ...progress, next: { _tag: "Again" } })

const touches = (parts: ReadonlyArray<Parts>, part: Parts): boolean => {
  const { sets = [] } = part
  if (sets.length === 0) return false
  const taken = new Set(parts.flatMap(setKeys))
  return setKeys(part).some((key) => taken.has(key))
}

const setKeys = ({ sets = [] }: Parts): ReadonlyArray<string> =>
  sets.map(({ key, table }) => `${table} ${JSON.stringify(key)}`)

const factsOf = ({ facts }: RunWorld, { scope }: RunProgress, now: Instant): ConditionFacts => ({
  ...facts,
  contact: scope.contact,
  values: valuesOf(scope),
  steps: scope.run.steps,
  timezone: scope.workspace.timezone,
  now
})

/**
 * Conflicts with a concurrent execution or stop of the run, and after a merge or an erasure of its contact: failed
 * actions and false conditions may follow from rows that left the contact after it was read. This alone does not
 * lock the contact: what was read before its merge is decided as of then.
 */
const progressed = (
  { contactId, id, version }: Run,
  { endedAt, pending, position, reason, status, steps }: Run
): Parts => ({
  expects: [expect("workflowRuns", { id }, { version }), check("contacts", { id: contactId }, {})],
  sets: [set("workflowRuns", { id }, { endedAt, pending, position, reason, status, steps })]
})

/** The settle of the job. A webhook call moves the job to the lane `calls` first. */
const settleOf = (job: Job, next: Next, now: Instant): Settle | null => {
  switch (next._tag) {
    case "Over":
      return endJob(job)
    case "Wait":
      return settleJob(job, settledRun(job, next.until))
    case "Call":
      return job.lane === "calls" ? null : settleJob(job, settledRun(job, now, "calls"))
    case "Again":
      return null
  }
}

/** An English text of a refusal: the code, and the problem of each field, else the message. */
const refusalText = ({ code, details, message }: Refusal): string => {
  const problems = Object.entries(details).flatMap(([field, message]) =>
    Array.isArray(message) ? [`${field} ${message.join(", ")}`] : []
  )
  return `${code}: ${problems.length === 0 ? message : problems.join("; ")}`
}
