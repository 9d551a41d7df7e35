import { Clock, Context, Effect, Either, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider, type Decision } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { type PostponedBy, sendsPostponed } from "../../kernel/metrics/engineMetrics.js"
import type { Connection } from "../../model/Connection.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { type Instant, minute, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { Blobs } from "../../ports/Blobs.js"
import { type Changes, changes, endJob } from "../../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, SendOutcome } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, readById, Storage, StorageUnavailable } from "../../ports/Storage.js"
import { leaseMs } from "../../queue/Dispatcher.js"
import { traceOf } from "../../queue/jobTrace.js"
import { completeIdempotency } from "../../resources/access/idempotency.js"
import { removeFiles } from "../../resources/attachments/removeFiles.js"
import { rewindVirtualTime } from "../../resources/channels/throttleHold.js"
import { FeedUpdates } from "../../resources/conversations/FeedUpdates.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { Verdict } from "../../resources/messages/Verdict.js"
import { Verdicts } from "../../resources/messages/Verdicts.js"
import { followMove } from "./followMove.js"
import { handToProvider, type ReadySend } from "./handToProvider.js"
import { loadOutcomeWorld } from "./OutcomeWorld.js"
import { makePostponeQueue } from "./postponeQueue.js"
import { postponeSend } from "./postponeSend.js"
import { failUnknownOutcome, recordOutcome } from "./recordOutcome.js"
import { retryWhileUnavailable } from "./retryWhileUnavailable.js"
import { noSlots, progressOf, type SendProgress } from "./SendProgress.js"
import { makeSendPlaces } from "./sendPlaces.js"
import { sendReadiness } from "./sendReadiness.js"

/** Sends accepted messages through their providers: the handler of the lane `sends`. */
export interface Sends {
  readonly handOver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Sends = Context.GenericTag<Sends>("@parley/core/Sends")

/** Delay in ms before a send is tried again whose connection is not active or whose provider this host lacks. */
const pausedMs = minute

/** Delay in ms before a send is tried again that found no place among those of its connection. */
const busyMs = 5 * second

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const settings = yield* EngineSettings
  const blobs = yield* Blobs
  const verdicts = yield* Verdicts
  const feedUpdates = yield* FeedUpdates
  const { decideAndCommit } = yield* Decider
  const postponeQueue = makePostponeQueue(storage)
  const places = makeSendPlaces()

  /** Commits the result of a send and resolves its waiting request. Retries while the storage is unavailable. */
  const recorded = (job: Job, write: Effect.Effect<Verdict, Refusal | CommitError>) =>
    Effect.flatMap(retryWhileUnavailable(write), (verdict) => {
      if (verdict._tag === "Accepted" && verdict.feed !== null) feedUpdates.notify(verdict.feed, verdict.feed.fed)
      return verdicts.resolve(job.reference, verdict)
    })

  const postpone = (job: Job, until: Instant, progress: Partial<SendProgress>) => {
    const awaitedKey = verdicts.awaitedKey(job.reference)
    const load = storage.read({ awaitingRecord: awaitedKey === undefined ? null : lookup("idempotency", awaitedKey) })
    const payload = { ...progressOf(job), ...traceOf(job), ...progress }
    const decide = ({ awaitingRecord }: Effect.Effect.Success<typeof load>) =>
      Either.right(postponeSend(job, awaitingRecord[0], until, payload))
    return recorded(job, decideAndCommit(load, decide))
  }

  /** Reserves the slots that the message needs, until it may be sent or must wait. */
  const awaitReadiness = (handed: ReadySend): Effect.Effect<Readiness, Refusal | CommitError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { connection, progress, provider } = handed
      const step = sendReadiness(connection, provider.rates?.(connection) ?? null, progress, now)
      switch (step._tag) {
        case "Now":
          return Effect.succeed({ handed, until: null })
        case "Later":
          return Effect.succeed({ handed, until: step.until })
        case "Reserve":
          return Effect.flatMap(retryWhileUnavailable(storage.reserveSlot(step.reservation)), (slot) =>
            awaitReadiness({ ...handed, progress: { ...progress, [step.field]: slot } })
          )
        case "SetBack":
          return Effect.flatMap(retryWhileUnavailable(resetQueue(connection, step.to)), (connection) =>
            awaitReadiness({ ...handed, connection })
          )
      }
    })

  /**
   * Rewinds the virtual time of the connection. Returns the current row: of several late sends, the first rewinds it.
   */
  const resetQueue = (connection: Connection, to: Instant) => {
    const load = Effect.map(readById(storage, "connections", connection.id), (current) => current ?? connection)
    return Effect.zipRight(
      decideAndCommit(load, (current, now) =>
        Either.right({ changes: changes(current.workspaceId, rewindVirtualTime(current, to, now)), result: undefined })
      ),
      load
    )
  }

  const answered = (
    job: Job,
    { connection, message, progress, provider }: ReadySend,
    outcome: SendOutcome,
    resends: boolean
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (answeredAt) => {
      const followed = followMove(outcome, connection, provider, progress)
      const loaded = loadOutcomeWorld(storage, {
        message,
        channel: connection.channel,
        provider,
        outcome: followed,
        answeredAt,
        awaitedKey: verdicts.awaitedKey(job.reference)
      })
      const load = Effect.flatMap(loaded, (world) =>
        world.message === undefined || world.copy === undefined
          ? Effect.succeed(world)
          : Effect.map(removeFiles(storage, blobs, [world.copy]), (copyFiles) => ({ ...world, copyFiles }))
      ).pipe(Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause })))
      const write = decideAndCommit(load, (world, now, ids) =>
        world.message === undefined
          ? Either.right(erasedSendDone(job, world.awaitingRecord))
          : recordOutcome(world, { ...job, payload: { ...progress, ...traceOf(job) } }, followed, resends, now, ids)
      )
      return recorded(job, write)
    })

  /** `hasPlace`: the send has one of the places of its connection. */
  const work = (job: Job, hasPlace: boolean): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      const readAt = yield* Clock.currentTimeMillis
      const { messages, connections } = yield* retryWhileUnavailable(
        storage.read({
          messages: lookup("messages", { id: job.reference }),
          connections: lookup("connections", { id: job.subject })
        })
      )
      const [message] = messages
      if (message === undefined || message.status !== "queued") return yield* dropped(job)
      const progress = progressOf(job)
      if (yield* isErased(job, message, progress)) return yield* dropped(job)
      if (progress.held) return yield* failHeldSend(job, message)

      const [connection] = connections
      const provider = connection && providers.byKind.get(connection.provider)
      const now = yield* Clock.currentTimeMillis
      // An attempt without an outcome may have reached the provider (docs/reference/sends.md#external-effects).
      const isInterrupted = job.attempts > progress.settled
      const pause = Effect.suspend(() => wait(job, connection, "connection", now + pausedMs, noSlots))
      if (connection === undefined || provider === undefined) return yield* pause
      const handed: ReadySend = { message, progress, connection, provider }
      const resends = maySendAgain(connection, provider)
      if (isInterrupted && !resends) return yield* answered(job, handed, interrupted, resends)
      if (connection.status !== "active") return yield* pause
      const send = Effect.gen(function* () {
        const { handed: ready, until } = yield* awaitReadiness(handed)
        if (until === null) return yield* callProvider(job, ready, resends, readAt)
        // The slot was due now but moved to a later time; so did the slots behind it.
        if (progress.slot !== null) yield* postponeQueue(ready.connection, now)
        const by = now < ready.connection.heldUntil ? "hold" : "rate"
        yield* wait(job, connection, by, until, ready.progress)
      })
      const max = hasPlace ? undefined : provider.maxConcurrentSends?.(connection)
      if (max === undefined) return yield* send
      const busy = Effect.flatMap(Clock.currentTimeMillis, (at) => wait(job, connection, "busy", at + busyMs, {}))
      // After a wait for a place, everything is read again.
      yield* places.within(connection.id, max, (waited) => (waited ? work(job, true) : send), busy)
    })

  /**
   * Stores that the provider is called now, with a valid lease, and calls it. Without the lease, another process has
   * claimed the job, or its message was erased. A provider that dedupes needs no such record, because its messages are
   * sent again: there, the time since the message was read tells whether the lease may be lost.
   */
  const callProvider = (job: Job, ready: ReadySend, resends: boolean, readAt: Instant) => {
    let attempts = job.attempts
    const store = (attempt: number) =>
      storage.beginAttempt({ jobId: job.id, epoch: job.epoch, owner: job.leaseOwner ?? "", attempt })
    const begin = ready.provider.dedupes
      ? Effect.map(Clock.currentTimeMillis, (now) => now - readAt < leaseMs)
      : Effect.suspend(() => {
          // Also if it cannot be stored, the attempt has an outcome: it was not made.
          attempts = Math.max(job.attempts, ready.progress.settled) + 1
          return retryWhileUnavailable(store(attempts))
        }).pipe(Effect.onInterrupt(() => Effect.ignore(store(job.attempts))))
    return Effect.flatMap(handToProvider({ blobs, secretBox, settings, storage }, ready, begin), (outcome) =>
      outcome === null ? Effect.void : answered({ ...job, attempts }, ready, outcome, resends)
    )
  }

  /**
   * Whether the contact was erased, and the job that deletes its messages has not run. A new message was written with
   * its contact.
   */
  const isErased = (job: Job, { conversationId }: Message, { tries }: SendProgress) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      tries === 0 && now - job.createdAt < leaseMs
        ? Effect.succeed(false)
        : Effect.map(
            retryWhileUnavailable(readById(storage, "conversations", conversationId)),
            (conversation) => conversation === undefined
          )
    )

  const wait = (
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
  const dropped = (job: Job) => Effect.asVoid(storage.commit(done(job)))

  const failHeldSend = (job: Job, { workspaceId }: Message) =>
    Effect.asVoid(
      decideAndCommit(
        Effect.zipWith(
          readById(storage, "messages", job.reference),
          storage.read(subscriberLookups(workspaceId)),
          (message, subscribers) => ({ message, subscribers })
        ),
        ({ message, subscribers }, now, ids) =>
          message?.status === "queued"
            ? failUnknownOutcome({ message, subscribers }, job, now, ids)
            : Either.right(jobDone(job, null))
      )
    )

  return Sends.of({ handOver: (job) => work(job, false) })
})

interface Readiness {
  readonly handed: ReadySend
  /** Null: send now. */
  readonly until: Instant | null
}

const accepted: Verdict = { _tag: "Accepted", feed: null }
const interrupted = SendOutcome.Unknown({ reason: "a process ended during the provider call" })

/** Whether a send of unknown outcome is repeated: the provider deduplicates, or the connection is set to `resend`. */
const maySendAgain = ({ config }: Connection, { dedupes }: ChannelProvider): boolean =>
  dedupes || config.unknown_outcome === "resend"

const done = (job: Job): Changes => changes(job.workspaceId, { settle: endJob(job) })

/** Ends a send whose contact was erased meanwhile. The request that waits for the verdict answers 202. */
const erasedSendDone = (job: Job, awaitingRecord: IdempotencyRecord | undefined): Decision<Verdict> => ({
  changes: changes(
    job.workspaceId,
    { settle: endJob(job) },
    awaitingRecord?.state === "awaiting" ? completeIdempotency(awaitingRecord) : {}
  ),
  result: accepted
})

const jobDone = <A>(job: Job, result: A): Decision<A> => ({ changes: done(job), result })

export const layer: Layer.Layer<
  Sends,
  never,
  Storage | ChannelProviders | SecretBox | Verdicts | FeedUpdates | Decider | Blobs | EngineSettings
> = Layer.effect(Sends, make)
