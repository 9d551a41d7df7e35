import { Clock, Context, Duration, Effect, Either, Layer, Schedule } from "effect"
import type { Connection } from "../channels/Connection.js"
import { openCredentials } from "../channels/openCredentials.js"
import { Decider, type Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import { minute } from "../Instant.js"
import { sendSeconds } from "../metrics/engineMetrics.js"
import { changes } from "../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, SendOutcome } from "../ports/ChannelProvider.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import type { Message } from "./Message.js"
import { giveUp, type OutcomeWorld, recordOutcome, type Verdict } from "./recordOutcome.js"
import { Verdicts } from "./Verdicts.js"

/** Brings accepted messages to their providers: the work of the lane `sends`. */
export interface Sends {
  readonly handOver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Sends = Context.GenericTag<Sends>("@parley/core/Sends")

/** No provider may take longer than this; what it did by then is unknown. */
const providerTimeout = minute
/** How long a send waits for a connection that is not active, or whose provider this host does not have. */
const pausedMs = minute

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const verdicts = yield* Verdicts
  const { decideAndCommit } = yield* Decider

  const loadOutcome = (
    messageId: string,
    workspaceId: string,
    outcome: SendOutcome
  ): Effect.Effect<OutcomeWorld | undefined, ReadError> => {
    const awaited = verdicts.awaited(messageId)
    return Effect.flatMap(
      storage.read({
        ...subscriberLookups(workspaceId),
        messages: lookup("messages", { id: messageId }),
        awaiting: awaited === undefined ? null : lookup("idempotency", awaited)
      }),
      ({ messages, awaiting, endpoints, applications }) => {
        const message = messages[0]
        // Its contact was erased while the provider had it.
        if (message === undefined) return Effect.succeed(undefined)
        const known =
          outcome._tag === "Accepted"
            ? storage.read({
                known: lookup("providerMessages", {
                  connectionId: message.connectionId,
                  providerMessageId: outcome.providerMessageId
                })
              })
            : Effect.succeed({ known: [] })
        return Effect.map(known, ({ known }) => ({
          message,
          known: known[0],
          awaiting: awaiting[0],
          subscribers: { endpoints, applications }
        }))
      }
    )
  }

  /** Seconds and verdict of what was handed over go to the metrics. */
  const measured = (channel: string, handedOver: Effect.Effect<SendOutcome>): Effect.Effect<SendOutcome> =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeMillis()
      return Effect.map(handedOver, (outcome) => {
        sendSeconds((clock.unsafeCurrentTimeMillis() - start) / 1_000, channel, outcome._tag.toLowerCase())
        return outcome
      })
    })

  const send = (
    job: Job,
    message: Message,
    connection: Connection,
    provider: ChannelProvider
  ): Effect.Effect<SendOutcome> =>
    Effect.gen(function* () {
      const credentials = yield* openCredentials(secretBox, connection)
      const outbound = {
        id: message.id,
        to: job.payload?.to as string,
        template:
          message.templateName === null
            ? null
            : { name: message.templateName, language: message.templateLanguage ?? "", variables: message.variables },
        body: message.body,
        subject: message.subject,
        thread: [],
        attempt: job.attempts
      }
      return yield* provider.send(connection, credentials, outbound, yield* Clock.currentTimeMillis)
    }).pipe(
      Effect.catchTag("SecretUnreadable", ({ reason }) => Effect.succeed(SendOutcome.Transient({ reason }))),
      Effect.timeoutTo({
        duration: Duration.millis(providerTimeout),
        onSuccess: (outcome) => outcome,
        onTimeout: () => SendOutcome.Unknown({ reason: "the provider did not answer in time" })
      }),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("a channel provider failed unexpectedly", defect),
          SendOutcome.Unknown({ reason: "the provider failed unexpectedly" })
        )
      )
    )

  const outcomeOf = (job: Job, message: Message, connection: Connection | undefined): Effect.Effect<SendOutcome> => {
    const provider = connection && providers.byKind.get(connection.provider)
    if (connection === undefined || provider === undefined || connection.status !== "active") {
      return Effect.succeed(SendOutcome.Throttled({ retryAfterMs: pausedMs }))
    }
    // A claim that nobody settled may have reached the provider (engine.md, External effects).
    return job.attempts - 1 > settledAttempts(job) && !provider.dedupes
      ? Effect.succeed(SendOutcome.Unknown({ reason: "a process ended while it handed the message over" }))
      : measured(connection.channel, send(job, message, connection, provider))
  }

  const handOver: Sends["handOver"] = (job) =>
    Effect.gen(function* () {
      const { messages, connections } = yield* storage.read({
        messages: lookup("messages", { id: job.reference }),
        connections: lookup("connections", { id: job.subject })
      })
      const message = messages[0]
      if (message === undefined || message.status !== "queued") {
        const settle = { jobId: job.id, epoch: job.epoch, again: null }
        return yield* Effect.asVoid(storage.commit(changes(job.workspaceId, { settle })))
      }
      if (job.payload?.held === true) {
        const load = loadOutcome(message.id, job.workspaceId, SendOutcome.Unknown({ reason: "held" }))
        return yield* Effect.asVoid(
          decideAndCommit(load, (world, now, ids) =>
            world === undefined ? Either.right(gone(job)) : giveUp(world, job, now, ids)
          )
        )
      }
      const outcome = yield* outcomeOf(job, message, connections[0])
      const dedupes = providers.byKind.get(connections[0]?.provider ?? "")?.dedupes ?? false
      const result = yield* decideAndCommit(loadOutcome(message.id, job.workspaceId, outcome), (world, now, ids) =>
        world === undefined ? Either.right(gone(job)) : recordOutcome(world, job, outcome, dedupes, now, ids)
      ).pipe(
        // The provider has answered: that must be written down, however long the storage is away.
        Effect.retry({ while: (error) => error._tag !== "Refusal", schedule: recordSchedule })
      )
      yield* verdicts.tell(message.id, result)
    }).pipe(Effect.annotateLogs("message_id", job.reference))

  return Sends.of({ handOver })
})

const recordSchedule = Schedule.exponential(Duration.millis(50)).pipe(
  Schedule.union(Schedule.spaced(Duration.seconds(5))),
  Schedule.intersect(Schedule.recurs(200))
)

/** What is left to do for a message that was erased: there is nothing to record, and nobody to send it to again. */
const gone = (job: Job): Decision<Verdict> => ({
  changes: changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }),
  result: { _tag: "Accepted" }
})

/** How many claims of the job came to a known outcome. */
const settledAttempts = (job: Job): number => (typeof job.payload?.settled === "number" ? job.payload.settled : 0)

export const layer: Layer.Layer<Sends, never, Storage | ChannelProviders | SecretBox | Verdicts | Decider> =
  Layer.effect(Sends, make)
