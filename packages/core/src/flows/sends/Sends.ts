import { Clock, Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider, type Decision } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { type PostponedBy, sendsPostponed } from "../../kernel/metrics/engineMetrics.js"
import { retryWhileUnavailable } from "../../kernel/retryWhileUnavailable.js"
import type { Connection } from "../../model/Connection.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { type Instant, minute, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Message, MessageError } from "../../model/Message.js"
import { Blobs } from "../../ports/Blobs.js"
import { type Changes, changes, endJob } from "../../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, SendOutcome } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, readById, Storage, StorageUnavailable } from "../../ports/Storage.js"
import { leaseMs } from "../../queue/HeldLease.js"
import { traceOf } from "../../queue/jobTrace.js"
import { completeIdempotency, ownRecord } from "../../resources/access/idempotency.js"
import { removeFiles } from "../../resources/attachments/removeFiles.js"
import { FeedUpdates } from "../../resources/conversations/FeedUpdates.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { Verdict } from "../../resources/messages/Verdict.js"
import { Verdicts } from "../../resources/messages/Verdicts.js"
import { awaitReadiness } from "./awaitReadiness.js"
import { callProvider } from "./callProvider.js"
import { followMove } from "./followMove.js"
import type { ReadySend } from "./handToProvider.js"
import { retryWindow } from "./nextTry.js"
import { loadOutcomeWorld } from "./OutcomeWorld.js"
import { loadOptOut, optedOutMeanwhile } from "./optedOutMeanwhile.js"
import { makePostponeQueue, timesAfterHold, timesWhilePaused } from "./postponeQueue.js"
import { postponeSend } from "./postponeSend.js"
import { failQueued, outcomeUnknown, recordOutcome } from "./recordOutcome.js"
import { mayHaveArrived, noSlots, progressOf, type SendProgress } from "./SendProgress.js"
import { makeSendPermits } from "./sendPermits.js"

/** Sends accepted messages through their providers: the handler of the lane `sends`. */
export interface Sends {
  readonly handOver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Sends = Context.GenericTag<Sends>("@parley/core/Sends")

/** Delay in ms before a send is tried again whose connection is not active or whose provider this host lacks. */
const pausedMs = minute

/**
 * The end of such a step, a whole second: messages that are postponed within a second, one by one or many at once,
 * keep their order, since jobs that are due at one time are claimed in the order of their ids.
 */
const pausedUntil = (now: Instant): Instant => Math.floor((now + pausedMs) / second) * second

/** Delay in ms before a send is tried again that got no permit of its connection. */
const busyMs = 5 * second

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const settings = yield* EngineSettings
  const blobs = yield* Blobs
  const verdicts = yield* Verdicts
  const feedUpdates = yield* FeedUpdates
  const { decideAndCommit } = yield* Decider
  const postponeQueue = makePostponeQueue(storage)
  const permits = makeSendPermits()

  /** Commits the result of a send and resolves its waiting request. Retries while the storage is unavailable. */
  const commitAndResolveVerdict = (job: Job, write: Effect.Effect<Verdict, Refusal | CommitError>) =>
    Effect.flatMap(retryWhileUnavailable(write), (verdict) => {
      if (verdict._tag === "Accepted" && verdict.feed !== null) feedUpdates.notify(verdict.feed, verdict.feed.fed)
      return verdicts.resolve(job.reference, verdict)
    })

  const postpone = (job: Job, until: Instant, progress: Partial<SendProgress>) => {
    const awaited = verdicts.awaited(job.reference)
    const load = storage.read({ records: awaited === undefined ? null : lookup("idempotency", awaited.key) })
    const payload = { ...progressOf(job), ...traceOf(job), ...progress }
    const decide = ({ records }: Effect.Effect.Success<typeof load>) =>
      Either.right(postponeSend(job, awaited && ownRecord(awaited, records), until, payload))
    return commitAndResolveVerdict(job, decideAndCommit(load, decide))
  }

  const recordProviderOutcome = (
    job: Job,
    { connection, message, progress, provider }: ReadySend,
    outcome: SendOutcome,
    resends: boolean
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (answeredAt) => {
      const followed = followMove(outcome, connection, provider, progress)
      const loaded = loadOutcomeWorld(storage, {
        message,
        connection,
        provider,
        outcome: followed,
        answeredAt,
        awaited: verdicts.awaited(job.reference)
      })
      const load = Effect.flatMap(loaded, (world) =>
        world.message === undefined || world.copy === undefined
          ? Effect.succeed(world)
          : Effect.zipWith(
              removeFiles(storage, blobs, [world.copy]),
              storage.read({ events: lookup("events", { subjectId: world.copy.id }) }),
              (copyFiles, { events }) => ({ ...world, copyFiles, copyEvents: events.map(({ id }) => id) })
            )
      ).pipe(Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause })))
      const write = decideAndCommit(load, (world, now, ids) =>
        world.message === undefined
          ? Either.right(endErasedSend(job, world.awaitingRecord))
          : recordOutcome(
              world,
              { job: { ...job, payload: { ...progress, ...traceOf(job) } }, outcome: followed, resends },
              now,
              ids
            )
      )
      const recorded = commitAndResolveVerdict(job, write)
      const warning = warningOf(followed, progress, resends)
      return warning === null ? recorded : Effect.zipRight(Effect.logWarning(warning), recorded)
    })

  /** `hasPermit`: the send has a permit of its connection. */
  const runSend = (job: Job, hasPermit: boolean): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      const readAt = yield* Clock.currentTimeMillis
      const { messages, connections } = yield* retryWhileUnavailable(
        storage.read({
          messages: lookup("messages", { id: job.reference }),
          connections: lookup("connections", { id: job.subject })
        })
      )
      const [message] = messages
      if (message === undefined || message.status !== "queued") return yield* endJobWithoutSend(job)
      const progress: SendProgress = { ...progressOf(job), mayHaveArrived: mayHaveArrived(job) }
      const conversation = yield* conversationOfWaiting(job, message, progress)
      if (conversation === undefined) return yield* endJobWithoutSend(job)
      if (progress.held) return yield* failWaiting(job, message, outcomeUnknown(progress.reason))

      const [connection] = connections
      const provider = connection && providers.byKind.get(connection.provider)
      const now = yield* Clock.currentTimeMillis
      // An attempt without an outcome may have reached the provider (docs/reference/sends.md#external-effects).
      const isInterrupted = job.attempts > progress.settled
      const postponePaused = Effect.suspend(() =>
        postponeAndCount(job, connection, "connection", pausedUntil(now), noSlots)
      )
      if (connection === undefined || provider === undefined) return yield* postponePaused
      const found: ReadySend = { message, progress, connection, provider }
      const resends = maySendAgain(connection, provider)
      if (isInterrupted && !resends) return yield* recordProviderOutcome(job, found, interrupted, resends)
      if (connection.status !== "active") {
        // Others like it: they would only be looked at as well.
        if (job.attempts === 0 && progress.slot === null) {
          yield* postponeQueue(connection, timesWhilePaused(pausedUntil(now), now))
        }
        return yield* postponePaused
      }
      const optOut =
        conversation === null ? null : yield* retryWhileUnavailable(loadOptOut(storage, found, conversation))
      const optedOut = optOut === null ? null : optedOutMeanwhile(optOut, found)
      if (optedOut !== null) {
        // Not resent, whatever the policy.
        if (isInterrupted) return yield* recordProviderOutcome(job, found, interrupted, false)
        if (progress.mayHaveArrived) return yield* postpone(job, now + retryWindow, { held: true, ...noSlots })
        return yield* failWaiting(job, message, optedOut)
      }
      const send = Effect.gen(function* () {
        const { ready, until } = yield* awaitReadiness({ storage, decideAndCommit }, found)
        if (until === null) {
          const called = yield* callProvider({ blobs, secretBox, settings, storage }, job, ready, readAt)
          if (called === null) return
          return yield* recordProviderOutcome({ ...job, attempts: called.attempts }, ready, called.outcome, resends)
        }
        // The slot was due now but moved to a later time; so did the slots behind it.
        if (progress.slot !== null) yield* postponeQueue(ready.connection, timesAfterHold(ready.connection, now))
        const by = now < ready.connection.heldUntil ? "hold" : "rate"
        yield* postponeAndCount(job, connection, by, until, ready.progress)
      })
      const max = hasPermit ? null : (provider.maxConcurrentSends?.(connection, message) ?? null)
      if (max === null) return yield* send
      // Of NaN or 0, no permit ever becomes free.
      if (!(max >= 1)) throw new RangeError(`maxConcurrentSends of the provider ${provider.kind} must be at least 1`)
      const busy = Effect.flatMap(Clock.currentTimeMillis, (at) =>
        postponeAndCount(job, connection, "busy", at + busyMs, {})
      )
      // After a wait for a permit, everything is read again.
      yield* permits.withPermit(connection.id, max, (waited) => (waited ? runSend(job, true) : send), busy)
    })

  /**
   * The conversation of a message that waited: its contact may have opted out. Undefined if the contact was erased, and
   * the job that deletes its messages has not run. Null for a new message, which was written with its contact.
   */
  const conversationOfWaiting = (job: Job, { conversationId }: Message, { tries }: SendProgress) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      tries === 0 && now - job.createdAt < leaseMs
        ? Effect.succeed(null)
        : retryWhileUnavailable(readById(storage, "conversations", conversationId))
    )

  const postponeAndCount = (
    job: Job,
    connection: Connection | undefined,
    by: PostponedBy,
    until: Instant,
    progress: Partial<SendProgress>
  ) => {
    sendsPostponed(1, connection?.channel ?? "none", by)
    return postpone(job, until, progress)
  }

  /** The message or its contact was erased, or a receipt came before the outcome. */
  const endJobWithoutSend = (job: Job) => Effect.asVoid(storage.commit(jobEnd(job)))

  const failWaiting = (job: Job, { workspaceId }: Message, error: MessageError) => {
    const awaited = verdicts.awaited(job.reference)
    const load = storage.read({
      ...subscriberLookups(workspaceId),
      messages: lookup("messages", { id: job.reference }),
      records: awaited === undefined ? null : lookup("idempotency", awaited.key)
    })
    const write = decideAndCommit(load, ({ messages: [message], records, ...subscribers }, now, ids) => {
      const awaitingRecord = awaited && ownRecord(awaited, records)
      return Either.right(
        message?.status === "queued"
          ? failQueued({ awaitingRecord, message, subscribers }, job, error, now, ids)
          : endErasedSend(job, awaitingRecord)
      )
    })
    return commitAndResolveVerdict(job, write)
  }

  return Sends.of({ handOver: (job) => runSend(job, false) })
})

const accepted: Verdict = { _tag: "Accepted", feed: null }
const interrupted = SendOutcome.Unknown({ reason: "a process ended during the provider call" })

/** The warning of an outcome; null without one. Of consecutive failures, only the first is logged. */
const warningOf = (
  outcome: SendOutcome,
  { failingSince }: Pick<SendProgress, "failingSince">,
  resends: boolean
): string | null => {
  const isHeld = outcome._tag === "Unknown" && !resends
  if (failingSince !== null && !isHeld) return null
  if (outcome._tag === "Transient") return `a send failed and is tried again: ${outcome.reason}`
  return outcome._tag === "Unknown" ? `the outcome of a send is unknown: ${outcome.reason}` : null
}

/** Whether a send of unknown outcome is repeated: the provider deduplicates, or the connection is set to `resend`. */
const maySendAgain = ({ config }: Connection, { dedupes }: ChannelProvider): boolean =>
  dedupes || config.unknown_outcome === "resend"

const jobEnd = (job: Job): Changes => changes(job.workspaceId, { settle: endJob(job) })

/** Ends a send whose contact was erased meanwhile. The request that waits for the verdict answers 202. */
const endErasedSend = (job: Job, awaitingRecord: IdempotencyRecord | undefined): Decision<Verdict> => ({
  changes: changes(job.workspaceId, { settle: endJob(job) }, completeIdempotency(awaitingRecord)),
  result: accepted
})
