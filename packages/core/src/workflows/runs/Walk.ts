import type { Instant } from "../../Instant.js"
import type { Parts } from "../../ports/Changes.js"
import type { Action, CallWebhook } from "../definition/Action.js"
import type { Run, Step } from "./Run.js"
import type { Carried, RunScope } from "./RunScope.js"
import type { Verdict } from "./Verdict.js"

/** How a run goes on after a commit. */
export type Next =
  /** There is more to do at once, once what it looks at is read anew. */
  | { readonly _tag: "Again" }
  /** The action at hand calls a webhook; `scope` is how things are then. */
  | { readonly _tag: "Call"; readonly action: CallWebhook; readonly scope: RunScope }
  | { readonly _tag: "Wait"; readonly until: Instant }
  /** `outcome`: null where the run is gone. */
  | { readonly _tag: "Over"; readonly outcome: Run["status"] | null }

/** How far a run has come with the actions that are decided together. */
export interface Walk {
  /** With the run and the contact as they are by now. */
  readonly scope: RunScope
  /** What the actions write. */
  readonly parts: ReadonlyArray<Parts>
  /** Null: the next action may be taken. */
  readonly next: Next | null
}

/** Writes down what became of the action at hand; the next one is at hand then. */
export const recorded = (
  walk: Walk,
  action: Action,
  { attempts = 1, detail, outcome }: Pick<Step, "detail" | "outcome"> & { readonly attempts?: number },
  now: Instant
): Walk => {
  const { pending, position, steps } = walk.scope.run
  const step: Step = {
    position,
    type: action.type,
    name: action.name,
    outcome,
    detail,
    startedAt: pending?.startedAt ?? now,
    endedAt: now,
    attempts
  }
  return moved(walk, { status: "running", position: position + 1, pending: null, steps: [...steps, step] })
}

/** The action at hand failed: the run ends, unless the action says otherwise. */
export const failed = (walk: Walk, action: Action, detail: string, now: Instant, attempts = 1): Walk => {
  const after = recorded(walk, action, { outcome: "failed", detail, attempts }, now)
  return action.onError === "continue" ? after : ended(after, "failed", detail, now)
}

/** What an action that takes its time has come to. */
export const judged = (walk: Walk, action: Action, verdict: Verdict, now: Instant): Walk => {
  switch (verdict._tag) {
    case "Done":
      return recorded(walk, action, { ...verdict, outcome: "done" }, now)
    case "Failed":
      return failed(walk, action, verdict.detail, now, verdict.attempts)
    case "Later":
      return {
        ...moved(walk, { status: "waiting", pending: verdict.pending }),
        next: { _tag: "Wait", until: verdict.at }
      }
  }
}

/** The action at hand calls a webhook: it has begun, and was not tried yet. */
export const calling = (walk: Walk, action: CallWebhook, now: Instant): Walk => {
  const begun = { startedAt: now, attempts: 0, messageId: null, until: null }
  const at = walk.scope.run.pending === null ? moved(walk, { status: "waiting", pending: begun }) : walk
  return { ...at, next: { _tag: "Call", action, scope: at.scope } }
}

/** What an action wrote, beside what those before it did. */
export const written = (walk: Walk, { contact, parts }: Carried): Walk => ({
  ...walk,
  scope: { ...walk.scope, contact: contact ?? walk.scope.contact },
  parts: [...walk.parts, ...parts]
})

/** There is nothing left to do. */
export const ended = (walk: Walk, status: Run["status"], reason: string | null, now: Instant): Walk => ({
  ...moved(walk, { status, reason, pending: null, endedAt: now }),
  next: { _tag: "Over", outcome: status }
})

const moved = (walk: Walk, values: Partial<Run>): Walk => ({
  ...walk,
  scope: { ...walk.scope, run: { ...walk.scope.run, ...values } }
})
