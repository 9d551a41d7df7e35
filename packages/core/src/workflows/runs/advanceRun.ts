import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, type Parts, type Settle, set } from "../../ports/Changes.js"
import type { OutboundResult } from "../../ports/HttpSender.js"
import type { Ids } from "../../ports/Ids.js"
import type { Job } from "../../worker/Job.js"
import { callVerdict } from "../actions/callWebhook.js"
import { messageProgress, type Progress, pendingMessage } from "../actions/messageProgress.js"
import { wait } from "../actions/wait.js"
import type { Facts } from "../conditions/Facts.js"
import { explain, meets } from "../conditions/meets.js"
import type { Action } from "../definition/Action.js"
import type { Definition } from "../Workflow.js"
import { hasBegun, isOver, type Run } from "./Run.js"
import { type Prepared, type RunScope, valuesOf } from "./RunScope.js"
import { reasonOf } from "./reasonOf.js"
import { claimsWithoutEnd, settledRun } from "./runJob.js"
import { calling, ended, failed, judged, type Next, recorded, type Walk, written } from "./Walk.js"

/** All that the next actions of a run may look at. */
export interface RunWorld {
  readonly scope: RunScope
  readonly definition: Definition
  /** What conditions ask for beside the contact. */
  readonly facts: Pick<Facts, "conversation" | "leads" | "lastWords">
  /** By position, those of the next actions that have read what they need. */
  readonly prepared: ReadonlyMap<number, Prepared>
  /** The one whose progress the action at hand waits for. */
  readonly message: Progress | undefined
  /** What the call of an action came to, where it was made. */
  readonly answered: { readonly position: number; readonly result: OutboundResult } | null
  /** Why a run that begins may not go on, and who is told; null where it may. */
  readonly refused: { readonly reason: string; readonly told: Parts } | null
}

/** How often a run is taken up without an end of any kind, before it fails. */
const mostClaims = 10

/**
 * Carries a run on (spec, Business events and automations): as many of its next actions as can be decided together, and its
 * progress, in one commit, so that neither is there without the other. It stops where an action waits or calls out, and where
 * what comes next has to be read anew.
 */
export const advanceRun = (world: RunWorld, job: Job, now: Instant, ids: Ids): Either.Either<Decision<Next>> => {
  const { scope } = world
  const walk = walkRun(world, claimsWithoutEnd(job), now, ids)
  const next = walk.next ?? over(walk.scope.run)
  const settle = settleOf(job, next, now)
  const progress = walk.scope.run === scope.run ? {} : progressed(scope.run, walk.scope.run)
  const nothing = progress.sets === undefined && settle === null
  return Either.right({
    changes: nothing ? null : changes(scope.run.workspaceId, progress, { settle }, ...walk.parts),
    result: next
  })
}

/** How far the actions that can be decided together bring a run; `claims`: how often it was taken up without an end. */
export const walkRun = (world: RunWorld, claims: number, now: Instant, ids: Ids): Walk => {
  const begin: Walk = { scope: world.scope, parts: [], next: null }
  if (isOver(world.scope.run)) return { ...begin, next: over(world.scope.run) }
  let walk = entered(world, begin, claims, now)
  while (walk.next === null) walk = takeAction(world, walk, now, ids)
  return walk
}

/** What must hold before the first action. */
const entered = (world: RunWorld, walk: Walk, claims: number, now: Instant): Walk => {
  const { run } = walk.scope
  if (claims > mostClaims) {
    const reason = "it was taken up again and again without coming to an end; the log of the workers says why"
    return ended(walk, "failed", reason, now)
  }
  if (hasBegun(run) || world.answered !== null) return walk
  if (world.refused !== null) {
    return ended({ ...walk, parts: [world.refused.told] }, "stopped", world.refused.reason, now)
  }
  const { conditions } = world.definition
  const facts = factsOf(world, walk, now)
  return conditions === null || meets(conditions, facts)
    ? walk
    : ended(walk, "skipped", `its conditions do not hold: ${explain(conditions, facts)}`, now)
}

const takeAction = (world: RunWorld, walk: Walk, now: Instant, ids: Ids): Walk => {
  const { contact, run, workspace } = walk.scope
  const action = world.definition.actions[run.position]
  if (action === undefined) return ended(walk, "completed", null, now)
  const answered = world.answered?.position === run.position ? world.answered : null
  // What was called is called, also where its receiver changed what the condition asks for.
  if (run.pending === null && answered === null && action.if !== null) {
    const facts = factsOf(world, walk, now)
    if (!meets(action.if, facts)) {
      return recorded(walk, action, { outcome: "skipped", detail: explain(action.if, facts) }, now)
    }
  }
  switch (action.type) {
    case "wait":
      return judged(walk, action, wait(action, run.pending, contact, workspace.timezone, now), now)
    case "call_webhook":
      return answered === null
        ? calling(walk, action, now)
        : judged(walk, action, callVerdict(action, answered.result, run.pending, now), now)
    default:
      return carryOut(world, walk, action, now, ids)
  }
}

const carryOut = (world: RunWorld, walk: Walk, action: Action, now: Instant, ids: Ids): Walk => {
  const { pending, position } = walk.scope.run
  const wanted = action.type === "send_message" || action.type === "send_email" ? action.wanted : null
  if (pending !== null && wanted !== null) {
    return judged(walk, action, messageProgress(world.message, wanted, pending, now), now)
  }
  const prepared = world.prepared.get(position)
  if (prepared === undefined) return again(walk)
  const decided = prepared(walk.scope, now, ids)
  if (Either.isLeft(decided)) return failed(walk, action, reasonOf(decided.left), now)
  const carried = decided.right
  // Each row is written once in a commit: what writes it anew comes with the next one.
  if (carried.parts.some((part) => touches(walk.parts, part))) return again(walk)
  const after = written(walk, carried)
  if (wanted !== null && carried.messageId !== undefined) {
    return judged(after, action, pendingMessage(carried.messageId, wanted, now), now)
  }
  const done = recorded(after, action, { outcome: "done", detail: carried.detail }, now)
  return carried.rereads === true && world.definition.actions[position + 1] !== undefined ? again(done) : done
}

const over = ({ status }: Run): Next => ({ _tag: "Over", outcome: status })

const again = (walk: Walk): Walk => ({ ...walk, next: { _tag: "Again" } })

const touches = (parts: ReadonlyArray<Parts>, part: Parts): boolean => {
  const taken = new Set(parts.flatMap(setKeys))
  return setKeys(part).some((key) => taken.has(key))
}

const setKeys = ({ sets = [] }: Parts): ReadonlyArray<string> =>
  sets.map(({ key, table }) => `${table} ${JSON.stringify(key)}`)

const factsOf = ({ facts }: RunWorld, { scope }: Walk, now: Instant): Facts => ({
  ...facts,
  contact: scope.contact,
  values: valuesOf(scope),
  steps: scope.run.steps,
  timezone: scope.workspace.timezone,
  now
})

/** Whoever carries the run on at the same time, or stops it, loses or wins it whole. */
const progressed = ({ id, version }: Run, { endedAt, pending, position, reason, status, steps }: Run): Parts => ({
  expects: [expect("workflowRuns", { id }, { version })],
  sets: [set("workflowRuns", { id }, { endedAt, pending, position, reason, status, steps })]
})

/** A run that calls goes into the lane of calls first. */
const settleOf = (job: Job, next: Next, now: Instant): Settle | null => {
  switch (next._tag) {
    case "Over":
      return { jobId: job.id, epoch: job.epoch, again: null }
    case "Wait":
      return { jobId: job.id, epoch: job.epoch, again: settledRun(job, next.until) }
    case "Call":
      return job.lane === "calls" ? null : { jobId: job.id, epoch: job.epoch, again: settledRun(job, now, "calls") }
    case "Again":
      return null
  }
}
