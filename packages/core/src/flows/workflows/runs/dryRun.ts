import { Clock, Effect } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { Instant } from "../../../model/Instant.js"
import type { Run, Step } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import type { Parts } from "../../../ports/Changes.js"
import type { OutboundResult } from "../../../ports/HttpSender.js"
import type { Ids } from "../../../ports/Ids.js"
import type { ReadError } from "../../../ports/Storage.js"
import { callRequest } from "../actions/callWebhook.js"
import type { Progress } from "../actions/messageProgress.js"
import { type RunWorld, runActions } from "./advanceRun.js"
import { loadWorld } from "./loadRun.js"
import type { Next, RunProgress } from "./RunProgress.js"
import type { RunScope, RunServices } from "./RunScope.js"
import { newRun } from "./startRuns.js"

/** The result of a simulated run. */
export interface DryRun extends Pick<Run, "status" | "reason"> {
  readonly steps: ReadonlyArray<DryStep>
}

export interface DryStep extends Step {
  /** The text of a message or the JSON body of a call; null for other actions. */
  readonly says: string | null
}

/** The input of a dry run. */
export interface Sample {
  readonly scope: Omit<RunScope, "run">
  readonly definition: Definition
  readonly event: { readonly name: string; readonly data: Run["data"] }
}

/**
 * Simulates a run without writing, sending or calling anything. The rules decide on the current rows; waits end at
 * once, messages count as read, and webhook calls as answered with 200.
 */
export const dryRun = (services: RunServices, ids: Ids, sample: Sample): Effect.Effect<DryRun, Refusal | ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const scope: RunScope = { ...sample.scope, run: sampleRun(sample, now, ids) }
    return yield* tryOn(services, ids, { scope, definition: sample.definition, says: new Map(), callResult: null }, now)
  })

interface Trial {
  readonly scope: RunScope
  readonly definition: Definition
  /** Texts by position of the action. */
  readonly says: ReadonlyMap<number, string>
  readonly callResult: RunWorld["callResult"]
}

const tryOn = (
  services: RunServices,
  ids: Ids,
  trial: Trial,
  now: Instant
): Effect.Effect<DryRun, Refusal | ReadError> =>
  Effect.gen(function* () {
    const world = yield* loadWorld(services, trial, trial.callResult, now)
    const progress = runActions({ ...world, message: arrived(trial.scope.run, now) }, 1, now, ids)
    const says = new Map([...trial.says, ...said(trial.scope.run, progress)])
    const next: Next = progress.next ?? { _tag: "Over", outcome: null }
    const on = { ...trial, scope: progress.scope, says, callResult: null }
    switch (next._tag) {
      case "Over":
        return outcomeOf(progress, says)
      case "Again":
        return yield* tryOn(services, ids, on, now)
      case "Wait":
        return yield* tryOn(services, ids, on, next.until)
      case "Call": {
        const { position } = progress.scope.run
        const { body } = callRequest(next.scope, next.action, "", "", now)
        return yield* tryOn(
          services,
          ids,
          {
            ...on,
            says: new Map([...says, [position, body]]),
            callResult: { position, url: next.action.url, result: answer }
          },
          now
        )
      }
    }
  })

const answer: OutboundResult = { _tag: "Answered", status: 200, body: "" }

/** The message that a run waits for, as read. */
const arrived = ({ pending }: Run, now: Instant): Progress | undefined =>
  pending?.messageId == null
    ? undefined
    : { id: pending.messageId, status: "read", error: null, sentAt: now, deliveredAt: now, readAt: now }

/** The text of the queued message by the position of its action: one commit queues at most one. */
const said = (before: Run, progress: RunProgress): ReadonlyArray<readonly [number, string]> => {
  const [message] = progress.parts.flatMap(({ inserts = [] }: Parts) =>
    inserts.flatMap((inserted) => (inserted.table === "messages" ? [inserted.row] : []))
  )
  if (message === undefined) return []
  const { pending, position } = progress.scope.run
  const at = pending?.messageId === message.id ? position : Math.max(before.position, position - 1)
  return [[at, message.subject === null ? message.body : `${message.subject}\n\n${message.body}`]]
}

const outcomeOf = ({ scope: { run } }: RunProgress, says: ReadonlyMap<number, string>): DryRun => ({
  status: run.status,
  reason: run.reason,
  steps: run.steps.map((step) => ({ ...step, says: says.get(step.position) ?? null }))
})

const sampleRun = ({ event, scope }: Sample, now: Instant, ids: Ids): Run => {
  const { application, contact, workspace } = scope
  const happened = { ...event, id: ids.next(now), createdAt: now }
  const whose = { workspaceId: workspace.id, applicationId: application.id, contactId: contact.id }
  return newRun({ ...happened, ...whose }, ids.next(now), ids.next(now), ids)
}
