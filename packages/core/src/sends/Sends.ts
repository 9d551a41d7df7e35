import { Clock, Context, Effect, Either, Layer } from "effect"
import type { Connection } from "../channels/Connection.js"
import { setBack } from "../channels/hold.js"
import { FeedNews } from "../conversations/FeedNews.js"
import { Decider, type Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import { type Instant, minute } from "../Instant.js"
import type { Message } from "../messages/Message.js"
import { type PostponedBy, sendsPostponed } from "../metrics/engineMetrics.js"
import { type Changes, changes } from "../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, SendOutcome } from "../ports/ChannelProvider.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, lookup, readById, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import { departure } from "./departure.js"
import { followMove } from "./followMove.js"
import { type Handed, handToProvider } from "./handToProvider.js"
import { lineMover } from "./lineMover.js"
import { loadOutcomeWorld } from "./OutcomeWorld.js"
import { persistently } from "./persistently.js"
import { postponeSend } from "./postponeSend.js"
import { giveUp, recordOutcome } from "./recordOutcome.js"
import { noSlots, progressOf, type SendProgress, settledProgress } from "./SendProgress.js"
import type { Verdict } from "./Verdict.js"
import { Verdicts } from "./Verdicts.js"

/** Brings accepted messages to their providers: the work of the lane `sends`. */
export interface Sends {
  readonly handOver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Sends = Context.GenericTag<Sends>("@parley/core/Sends")

/** How long a send waits for a connection that is not active, or whose provider this host does not have, in ms. */
const pausedMs = minute

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const verdicts = yield* Verdicts
  const news = yield* FeedNews
  const { decideAndCommit } = yield* Decider
  const moveLine = lineMover(storage)

  /** Writes down what became of a send, and tells the one who waits: that must be, however long the storage is away. */
  const recorded = (job: Job, write: Effect.Effect<Verdict, Refusal | CommitError>) =>
    Effect.flatMap(persistently(write), (verdict) => {
      if (verdict._tag === "Accepted" && verdict.feed !== null) news.tell(verdict.feed, verdict.feed.fed)
      return verdicts.tell(job.reference, verdict)
    })

  const postpone = (job: Job, until: Instant, progress: Partial<SendProgress>) => {
    const awaited = verdicts.awaited(job.reference)
    const load = storage.read({ awaiting: awaited === undefined ? null : lookup("idempotency", awaited) })
    const payload = settledProgress(job, progress)
    const decide = ({ awaiting }: Effect.Effect.Success<typeof load>) =>
      Either.right(postponeSend(job, awaiting[0], until, payload))
    return recorded(job, decideAndCommit(load, decide))
  }

  /** The message with its places, once it may go, or until when it waits. */
  const departs = (handed: Handed): Effect.Effect<Departs, Refusal | CommitError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { connection, progress, provider } = handed
      const step = departure(connection, provider.rates?.(connection) ?? null, progress, now)
      switch (step._tag) {
        case "Now":
          return Effect.succeed({ handed, until: null })
        case "Later":
          return Effect.succeed({ handed, until: step.until })
        case "Reserve":
          return Effect.flatMap(persistently(storage.reserveSlot(step.reservation)), (slot) =>
            departs({ ...handed, progress: { ...progress, [step.place]: slot } })
          )
        case "SetBack":
          return Effect.flatMap(persistently(lineSetBack(connection, step.to)), (connection) =>
            departs({ ...handed, connection })
          )
      }
    })

  /** Answers the connection as it is then: all that are late together set it back, and see who is first. */
  const lineSetBack = (connection: Connection, to: Instant) => {
    const load = Effect.map(readById(storage, "connections", connection.id), (current) => current ?? connection)
    return Effect.zipRight(
      decideAndCommit(load, (current, now) =>
        Either.right({ changes: changes(current.workspaceId, setBack(current, to, now)), result: undefined })
      ),
      load
    )
  }

  const answered = (job: Job, { connection, progress, provider }: Handed, outcome: SendOutcome, resends: boolean) =>
    Effect.flatMap(Clock.currentTimeMillis, (answeredAt) => {
      const followed = followMove(outcome, connection, provider, progress)
      const load = loadOutcomeWorld(storage, {
        messageId: job.reference,
        workspaceId: job.workspaceId,
        channel: connection.channel,
        provider,
        outcome: followed,
        answeredAt,
        awaited: verdicts.awaited(job.reference)
      })
      const write = decideAndCommit(load, (world, now, ids) =>
        world === undefined
          ? Either.right(nothingLeft(job, accepted))
          : recordOutcome(world, { ...job, payload: { ...progress } }, followed, resends, now, ids)
      )
      return recorded(job, write)
    })

  const handOver: Sends["handOver"] = (job) =>
    Effect.gen(function* () {
      const { messages, connections } = yield* storage.read({
        messages: lookup("messages", { id: job.reference }),
        connections: lookup("connections", { id: job.subject })
      })
      const [message] = messages
      if (message === undefined || message.status !== "queued") return yield* dropped(job)
      const progress = progressOf(job)
      if (progress.held) return yield* abandon(job, message)

      const [connection] = connections
      const provider = connection && providers.byKind.get(connection.provider)
      const now = yield* Clock.currentTimeMillis
      if (connection === undefined || provider === undefined || connection.status !== "active") {
        return yield* wait(job, connection, "connection", now + pausedMs, noSlots)
      }
      const handed: Handed = { message, progress, connection, provider }
      const resends = maySendAgain(connection, provider)
      // A claim that nobody settled may have reached the provider (engine.md, External effects).
      if (job.attempts - 1 > progress.settled && !resends) return yield* answered(job, handed, interrupted, resends)
      const { handed: ready, until } = yield* departs(handed)
      if (until !== null) {
        // Its turn was to be now: it moved on, and that of those behind it too.
        if (progress.slot !== null) yield* moveLine(ready.connection, now)
        const by = now < ready.connection.heldUntil ? "hold" : "rate"
        return yield* wait(job, connection, by, until, ready.progress)
      }
      yield* answered(job, ready, yield* handToProvider(storage, secretBox, ready), resends)
    }).pipe(Effect.annotateLogs("message_id", job.reference))

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

  /** It was erased, or a receipt told more than the provider's answer. */
  const dropped = (job: Job) => Effect.asVoid(storage.commit(done(job)))

  const abandon = (job: Job, { workspaceId }: Message) =>
    Effect.asVoid(
      decideAndCommit(
        Effect.zipWith(
          readById(storage, "messages", job.reference),
          storage.read(subscriberLookups(workspaceId)),
          (message, subscribers) => ({ message, subscribers })
        ),
        ({ message, subscribers }, now, ids) =>
          message?.status === "queued"
            ? giveUp({ message, subscribers }, job, now, ids)
            : Either.right(nothingLeft(job, null))
      )
    )

  return Sends.of({ handOver })
})

interface Departs {
  readonly handed: Handed
  /** Null: it goes now. */
  readonly until: Instant | null
}

const accepted: Verdict = { _tag: "Accepted", feed: null }
const interrupted = SendOutcome.Unknown({ reason: "a process ended while it handed the message over" })

/** Whether a message whose fate is unknown is sent again: it goes out once all the same, or the connection's policy says so. */
const maySendAgain = ({ config }: Connection, { dedupes }: ChannelProvider): boolean =>
  dedupes || config.unknown_outcome === "resend"

const done = (job: Job): Changes =>
  changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } })

const nothingLeft = <A>(job: Job, result: A): Decision<A> => ({ changes: done(job), result })

export const layer: Layer.Layer<Sends, never, Storage | ChannelProviders | SecretBox | Verdicts | FeedNews | Decider> =
  Layer.effect(Sends, make)
