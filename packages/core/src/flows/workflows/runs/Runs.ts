import { Clock, Context, Effect, Either } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import { Decider, type Decision } from "../../../kernel/Decider.js"
import { EngineSettings } from "../../../kernel/EngineSettings.js"
import { lruCache } from "../../../kernel/lruCache.js"
import { runsEnded } from "../../../kernel/metrics/engineMetrics.js"
import type { Job } from "../../../model/Job.js"
import { changes, settleJob } from "../../../ports/Changes.js"
import { ChannelProviders } from "../../../ports/ChannelProvider.js"
import { Entitlements } from "../../../ports/Entitlements.js"
import { HttpSender } from "../../../ports/HttpSender.js"
import { Ids } from "../../../ports/Ids.js"
import { SecretBox, type SecretUnreadable } from "../../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../../ports/Storage.js"
import type { Handlers } from "../../../queue/Handlers.js"
import { postponeUntilReadable } from "../../../queue/postponeUntilReadable.js"
import { urlProblemOf } from "../../../resources/messages/urlProblemOf.js"
import { openUrl } from "../../webhooks/endpointUrl.js"
import { callRequest } from "../actions/callWebhook.js"
import { advanceRun, type RunWorld } from "./advanceRun.js"
import { type DryRun, dryRun, type Sample } from "./dryRun.js"
import { loadRun, type RunLookup, type StartTokenCell } from "./loadRun.js"
import type { Next } from "./RunProgress.js"
import type { RunServices } from "./RunScope.js"
import { type ReadAhead, readAhead } from "./readAhead.js"
import { settledRun } from "./runJob.js"

/** Executes workflow runs: handler of the task `advance_run` in the lanes `runs` and `calls`. */
export interface Runs {
  /** Executes actions of each run until it waits or ends. What the runs need first is read for all of them at once. */
  readonly advance: Handlers["runs"]
  /** Simulates a run. Writes, sends and calls nothing. */
  readonly dryRun: (sample: Sample) => Effect.Effect<DryRun, Refusal | ReadError>
}
export const Runs = Context.GenericTag<Runs>("@parley/core/Runs")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const sender = yield* HttpSender
  const secretBox = yield* SecretBox
  const { runsPerContactAndHour, serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider
  const ids = yield* Ids
  const services: RunServices = {
    storage,
    providers,
    entitlements,
    runsPerContactAndHour,
    urlProblem: urlProblemOf(sender),
    recipientCache: lruCache(10_000),
    stageLeadCache: lruCache(1_000),
    definitions: lruCache(1_000)
  }

  const advanceFrom = (
    job: Job,
    callResult: RunWorld["callResult"],
    startToken: StartTokenCell,
    ahead: ReadAhead | null = null
  ): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      let known = ahead
      const load = Effect.suspend(() => {
        const loading = loadRun(known?.services ?? services, job, callResult, startToken, known?.rows.get(job.id))
        // After a conflict, what was read ahead is too old.
        known = null
        return loading
      })
      const next = yield* decideAndCommit(load, (lookup, now, ids) =>
        lookup._tag === "Ready" ? advanceRun(lookup.world, job, now, ids) : Either.right(postponeRun(job, lookup))
      )
      if (next._tag === "Again") return yield* advanceFrom(job, null, startToken)
      if (next._tag === "Over" && next.outcome !== null) runsEnded(1, next.outcome)
      if (next._tag !== "Call" || job.lane !== "calls") return
      const result = yield* Effect.either(call(next))
      if (Either.isLeft(result)) return yield* waitForSecret(job, result.left)
      yield* advanceFrom(job, { position: next.scope.run.position, ...result.right }, startToken)
    })

  const call = ({ action, scope }: Called): Effect.Effect<CallResult, SecretUnreadable | ReadError> =>
    Effect.gen(function* () {
      const url = yield* openUrl(secretBox, action)
      const workflow = yield* readById(storage, "workflows", scope.run.workflowId)
      if (workflow?.secret == null)
        return { url, result: { _tag: "NotAnswered", error: "the workflow has no signing secret: rotate it" } }
      const secret = yield* secretBox.open(workflow.secret)
      const now = yield* Clock.currentTimeMillis
      return { url, result: yield* sender.post(callRequest(scope, { ...action, url }, secret, serviceName, now)) }
    })

  const waitForSecret = (job: Job, error: SecretUnreadable | ReadError): Effect.Effect<void, CommitError> =>
    error._tag !== "SecretUnreadable"
      ? Effect.fail(error)
      : postponeUntilReadable(
          storage,
          job,
          { what: "a run", error: `its workflow's signing secret or URL ${error.reason}` },
          (runAt) => settledRun(job, runAt)
        )

  return Runs.of({
    advance: (jobs) =>
      Effect.clockWith((clock) =>
        Effect.map(readAhead(services, jobs, clock.unsafeCurrentTimeMillis()), (ahead) =>
          jobs.map((job) => advanceFrom(job, null, { rateToken: ahead.startTokens.get(job.id) ?? null }, ahead))
        )
      ),
    dryRun: (sample) => dryRun(services, ids, sample)
  })
})

type CallResult = Pick<NonNullable<RunWorld["callResult"]>, "url" | "result">
type Called = Next & { readonly _tag: "Call" }

/** Postpones the job of a held run; ends the job of an erased run. */
const postponeRun = (job: Job, lookup: Exclude<RunLookup, { readonly _tag: "Ready" }>): Decision<Next> => {
  const waits = lookup._tag === "Held"
  const settle = settleJob(job, waits ? settledRun(job, lookup.until) : null)
  return {
    changes: changes(job.workspaceId, { settle }),
    result: waits ? { _tag: "Wait", until: lookup.until } : { _tag: "Over", outcome: null }
  }
}
