import { Clock, Context, Effect, Either, Layer } from "effect"
import { Decider, type Decision } from "../../Decider.js"
import { EngineSettings } from "../../EngineSettings.js"
import type { Refusal } from "../../errors/Refusal.js"
import { makeHints } from "../../Hints.js"
import { minute } from "../../Instant.js"
import { runsEnded } from "../../metrics/engineMetrics.js"
import { changes } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { HttpSender, type OutboundResult } from "../../ports/HttpSender.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox, type SecretUnreadable } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Job } from "../../worker/Job.js"
import { callRequest } from "../actions/callWebhook.js"
import { advanceRun, type RunWorld } from "./advanceRun.js"
import { type DryRun, dryRun, type Sample } from "./dryRun.js"
import { type Begin, Found, loadRun } from "./loadRun.js"
import type { RunMeans } from "./RunScope.js"
import { settledRun } from "./runJob.js"
import type { Next } from "./Walk.js"

/** Carries runs of workflows on: the work of the lanes `runs`, with the task `advance_run`, and `calls`. */
export interface Runs {
  /** Until the run waits or is over. */
  readonly advance: (job: Job) => Effect.Effect<void, Refusal | CommitError>
  /** What a run would come to; nothing is written, sent or called. */
  readonly dryRun: (sample: Sample) => Effect.Effect<DryRun, ReadError>
}
export const Runs = Context.GenericTag<Runs>("@parley/core/Runs")

/** How long a run waits whose secret this host cannot read. */
const whileUnreadable = minute

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const sender = yield* HttpSender
  const secretBox = yield* SecretBox
  const { runsPerContactAndHour, serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider
  const ids = yield* Ids
  const means: RunMeans = {
    storage,
    providers,
    entitlements,
    runsPerContactAndHour,
    contactHints: makeHints(),
    occupantHints: makeHints(1_000),
    definitions: makeHints(1_000)
  }

  const advanceFrom = (
    job: Job,
    answered: RunWorld["answered"],
    begin: Begin
  ): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      const next = yield* decideAndCommit(loadRun(means, job, answered, begin), (found, now, ids) =>
        found._tag === "Ready" ? advanceRun(found.world, job, now, ids) : Either.right(putOff(job, found))
      )
      if (next._tag === "Again") return yield* advanceFrom(job, null, begin)
      if (next._tag === "Over" && next.outcome !== null) runsEnded(1, next.outcome)
      if (next._tag !== "Call" || job.lane !== "calls") return
      const result = yield* Effect.either(call(next))
      if (Either.isLeft(result)) return yield* waitForSecret(job, result.left)
      yield* advanceFrom(job, { position: next.scope.run.position, result: result.right }, begin)
    })

  const call = ({ action, scope }: Called): Effect.Effect<OutboundResult, SecretUnreadable | ReadError> =>
    Effect.gen(function* () {
      const workflow = yield* readById(storage, "workflows", scope.run.workflowId)
      if (workflow?.secret == null)
        return { _tag: "NotAnswered", error: "the workflow has no signing secret: rotate it" }
      const secret = yield* secretBox.open(workflow.secret)
      return yield* sender.post(callRequest(scope, action, secret, serviceName, yield* Clock.currentTimeMillis))
    })

  /** That a secret cannot be read is this host's fault: another one may, or this one once it has the key. */
  const waitForSecret = (job: Job, error: SecretUnreadable | ReadError): Effect.Effect<void, CommitError> =>
    Effect.gen(function* () {
      if (error._tag !== "SecretUnreadable") return yield* error
      yield* Effect.logError(
        `a run waits: its workflow's signing secret cannot be read (${error.reason}); check PARLEY_SECRET_KEY`
      )
      const until = (yield* Clock.currentTimeMillis) + whileUnreadable
      const { changes } = putOff(job, Found.Held({ until }))
      if (changes !== null) yield* storage.commit(changes)
    })

  return Runs.of({
    advance: (job) =>
      Effect.annotateLogs(
        Effect.suspend(() => advanceFrom(job, null, { drawn: null })),
        "workflow_run_id",
        job.reference
      ),
    dryRun: (sample) => dryRun(means, ids, sample)
  })
})

type Called = Next & { readonly _tag: "Call" }

/** What becomes of the job of a run that cannot go on now, or not at all. */
const putOff = (job: Job, found: Exclude<Found, { readonly _tag: "Ready" }>): Decision<Next> => {
  const waits = found._tag === "Held"
  const settle = { jobId: job.id, epoch: job.epoch, again: waits ? settledRun(job, found.until) : null }
  return {
    changes: changes(job.workspaceId, { settle }),
    result: waits ? { _tag: "Wait", until: found.until } : { _tag: "Over", outcome: null }
  }
}

export const layer: Layer.Layer<
  Runs,
  never,
  Storage | Ids | ChannelProviders | Entitlements | HttpSender | SecretBox | EngineSettings | Decider
> = Layer.effect(Runs, make)
