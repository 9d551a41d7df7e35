import { Clock, Effect } from "effect"
import type { Instant } from "../../Instant.js"
import type { Parts } from "../../ports/Changes.js"
import type { OutboundResult } from "../../ports/HttpSender.js"
import type { Ids } from "../../ports/Ids.js"
import type { ReadError } from "../../ports/Storage.js"
import { callRequest } from "../actions/callWebhook.js"
import type { Progress } from "../actions/messageProgress.js"
import type { Definition } from "../Workflow.js"
import { type RunWorld, walkRun } from "./advanceRun.js"
import { loadWorld } from "./loadRun.js"
import type { Run, Step } from "./Run.js"
import type { RunMeans, RunScope } from "./RunScope.js"
import { newRun } from "./startRuns.js"
import type { Next, Walk } from "./Walk.js"

/** What a run would come to, if everything outside of it went well. */
export interface DryRun extends Pick<Run, "status" | "reason"> {
  readonly steps: ReadonlyArray<DryStep>
}

export interface DryStep extends Step {
  /** The text of a message, the JSON of a call; null for others. */
  readonly says: string | null
}

/** Whose run is tried, and with what. */
export interface Sample {
  readonly scope: Omit<RunScope, "run">
  readonly definition: Definition
  readonly event: { readonly name: string; readonly data: Run["data"] }
}

/**
 * Carries a run out without writing, sending or calling anything: the rules decide on what is stored now, waits are over at once,
 * messages come as far as was wanted, calls are answered with 200.
 */
export const dryRun = (means: RunMeans, ids: Ids, sample: Sample): Effect.Effect<DryRun, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const scope: RunScope = { ...sample.scope, run: sampleRun(sample, now, ids) }
    return yield* tryOn(means, ids, { scope, definition: sample.definition, says: new Map(), answered: null }, now)
  })

interface Trial {
  readonly scope: RunScope
  readonly definition: Definition
  /** By position. */
  readonly says: ReadonlyMap<number, string>
  readonly answered: RunWorld["answered"]
}

const tryOn = (means: RunMeans, ids: Ids, trial: Trial, now: Instant): Effect.Effect<DryRun, ReadError> =>
  Effect.gen(function* () {
    const world = yield* loadWorld(means, trial, trial.answered, now)
    const walk = walkRun({ ...world, message: arrived(trial.scope.run, now) }, 1, now, ids)
    const says = new Map([...trial.says, ...said(trial.scope.run, walk)])
    const next: Next = walk.next ?? { _tag: "Over", outcome: null }
    const on = { ...trial, scope: walk.scope, says, answered: null }
    switch (next._tag) {
      case "Over":
        return outcomeOf(walk, says)
      case "Again":
        return yield* tryOn(means, ids, on, now)
      case "Wait":
        return yield* tryOn(means, ids, on, next.until)
      case "Call": {
        const { position } = walk.scope.run
        const { body } = callRequest(next.scope, next.action, "", "", now)
        return yield* tryOn(
          means,
          ids,
          { ...on, says: new Map([...says, [position, body]]), answered: { position, result: answer } },
          now
        )
      }
    }
  })

const answer: OutboundResult = { _tag: "Answered", status: 200, body: "" }

/** The message that a run waits for, as far as it can come. */
const arrived = ({ pending }: Run, now: Instant): Progress | undefined =>
  pending?.messageId == null
    ? undefined
    : { id: pending.messageId, status: "read", error: null, sentAt: now, deliveredAt: now, readAt: now }

/** What messages said, by the position of the action that sent them: at most one is sent in a walk. */
const said = (before: Run, walk: Walk): ReadonlyArray<readonly [number, string]> => {
  const [message] = walk.parts.flatMap(({ inserts = [] }: Parts) =>
    inserts.flatMap((inserted) => (inserted.table === "messages" ? [inserted.row] : []))
  )
  if (message === undefined) return []
  const { pending, position } = walk.scope.run
  const at = pending?.messageId === message.id ? position : Math.max(before.position, position - 1)
  return [[at, message.subject === null ? message.body : `${message.subject}\n\n${message.body}`]]
}

const outcomeOf = ({ scope: { run } }: Walk, says: ReadonlyMap<number, string>): DryRun => ({
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
