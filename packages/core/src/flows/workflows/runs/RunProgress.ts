import type { Action, CallWebhook } from "../../../model/Action.js"
import type { Instant } from "../../../model/Instant.js"
import type { Run, Step } from "../../../model/Run.js"
import type { Parts } from "../../../ports/Changes.js"
import type { ActionState } from "./ActionState.js"
import type { ActionResult, RunScope } from "./RunScope.js"

/** The next step of a run after a commit. */
export type Next =
  /** Continue at once with a new read. */
  | { readonly _tag: "Again" }
  /** The current action calls a webhook. `scope`: the state at the call. */
  | { readonly _tag: "Call"; readonly action: CallWebhook; readonly scope: RunScope }
  | { readonly _tag: "Wait"; readonly until: Instant }
  /** `outcome`: null if the run was erased. */
  | { readonly _tag: "Over"; readonly outcome: Run["status"] | null }

/** Progress of a run within one commit. */
export interface RunProgress {
  /** With run and contact after the actions so far. */
  readonly scope: RunScope
  /** Changes of the actions so far. */
  readonly parts: ReadonlyArray<Parts>
  /** Null: continue with the next action. */
  readonly next: Next | null
}

/** Records the current action as a step and moves to the next action. */
export const recordStep = (
  progress: RunProgress,
  action: Action,
  {
    attempts = 1,
    detail,
    leadId,
    outcome
  }: Pick<Step, "detail" | "leadId" | "outcome"> & Partial<Pick<Step, "attempts">>,
  now: Instant
): RunProgress => {
  const { pending, position, steps } = progress.scope.run
  const step: Step = {
    position,
    type: action.type,
    name: action.name,
    outcome,
    detail,
    startedAt: pending?.startedAt ?? now,
    endedAt: now,
    attempts,
    ...(leadId === undefined ? {} : { leadId })
  }
  return withRunValues(progress, { status: "running", position: position + 1, pending: null, steps: [...steps, step] })
}

/** Records a failure of the current action. Ends the run, unless the action has `on_error: continue`. */
export const failAction = (
  progress: RunProgress,
  action: Action,
  detail: string,
  now: Instant,
  attempts = 1
): RunProgress => {
  const after = recordStep(progress, action, { outcome: "failed", detail, attempts }, now)
  return action.onError === "continue" ? after : endRun(after, "failed", detail, now)
}

/** Applies the state of the current action. */
export const applyActionState = (
  progress: RunProgress,
  action: Action,
  state: ActionState,
  now: Instant
): RunProgress => {
  switch (state._tag) {
    case "Done":
      return recordStep(progress, action, { ...state, outcome: "done" }, now)
    case "Failed":
      return failAction(progress, action, state.detail, now, state.attempts)
    case "Later":
      return {
        ...withRunValues(progress, { status: "waiting", pending: state.pending }),
        next: { _tag: "Wait", until: state.at }
      }
  }
}

/** Begins the webhook call of the current action, with no attempt yet. */
export const beginCall = (progress: RunProgress, action: CallWebhook, now: Instant): RunProgress => {
  const begun = { startedAt: now, attempts: 0, messageId: null, until: null }
  const at =
    progress.scope.run.pending === null ? withRunValues(progress, { status: "waiting", pending: begun }) : progress
  return { ...at, next: { _tag: "Call", action, scope: at.scope } }
}

/** Adds the changes of an action. */
export const withResult = (progress: RunProgress, { contact, parts }: ActionResult): RunProgress => ({
  ...progress,
  scope: { ...progress.scope, contact: contact ?? progress.scope.contact },
  parts: [...progress.parts, ...parts]
})

/** Ends the run. What it waits for stays, for a retry of a run whose job failed. */
export const endRun = (
  progress: RunProgress,
  status: Run["status"],
  reason: string | null,
  now: Instant
): RunProgress => ({
  ...withRunValues(progress, { status, reason, endedAt: now }),
  next: { _tag: "Over", outcome: status }
})

const withRunValues = (progress: RunProgress, values: Partial<Run>): RunProgress => ({
  ...progress,
  scope: { ...progress.scope, run: { ...progress.scope.run, ...values } }
})
