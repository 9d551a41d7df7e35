import { Clock, Context, Duration, Effect, Either, Option } from "effect"
import type { ErrorCode } from "../../errors/Catalogue.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { lruCache } from "../../kernel/lruCache.js"
import type { LeaseFor } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { changes } from "../../ports/Changes.js"
import { ChannelProviders, type SendOutcome } from "../../ports/ChannelProvider.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { type CommitError, lookup, type RateToken, type ReadError, Storage } from "../../ports/Storage.js"
import { Dispatcher } from "../../queue/Dispatcher.js"
import type { Answer } from "../access/Answer.js"
import { type Caller, missingScope } from "../access/Caller.js"
import { completeIdempotency, ownRecord, type StoredAnswer } from "../access/idempotency.js"
import { noteToken, RateBuckets, sendRateToken } from "../access/RateBuckets.js"
import { sendScopeOf } from "../access/tokenScopes.js"
import { isVisible } from "../conversations/visibility.js"
import type { SendCommand } from "./SendCommand.js"
import { loadSendWorld, type SendWorld } from "./SendWorld.js"
import { type Sent, sendMessage } from "./sendMessage.js"
import { urlProblemOf } from "./urlProblemOf.js"
import type { Verdict } from "./Verdict.js"
import { Verdicts, type Waiting } from "./Verdicts.js"

/** Sends messages and reads them. */
export interface Messages {
  /**
   * `POST /messages`, from the scope check that depends on the body to the commit
   * (docs/reference/requests.md#order-of-checks), and the wait for the provider's verdict
   * (docs/reference/messages.md#verdict-wait). `requestId` is echoed in the acknowledgement.
   */
  readonly send: (caller: Caller, command: SendCommand) => Effect.Effect<Answer, Refusal | CommitError>
  /** `GET /messages/{id}`. Fails with `not_found` if the message does not exist or is not visible to the caller. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<Message, Refusal | ReadError>
}
export const Messages = Context.GenericTag<Messages>("@parley/core/Messages")

/**
 * Refusals by the checks before the sends bucket (docs/reference/requests.md#order-of-checks): the send token is
 * refunded (docs/reference/rate-limits.md#tokens-that-are-returned).
 */
const refundedRefusals: ReadonlyArray<ErrorCode> = ["idempotency_conflict", "validation_failed"]

/**
 * Timeout of the refund after a failure of the storage. The storage may still be unavailable, and the caller waits for
 * its 503.
 */
const refundTimeout = Duration.seconds(1)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const settings = yield* EngineSettings
  const buckets = yield* RateBuckets
  const dispatcher = yield* Dispatcher
  const verdicts = yield* Verdicts
  const { decideAndCommit } = yield* Decider
  const recipientCache = lruCache<string>(10_000)
  const urlProblem = urlProblemOf(yield* HttpSender)

  const send: Messages["send"] = (caller, command) =>
    Effect.gen(function* () {
      const unscoped = missingScope(caller, [sendScopeOf(command.decoded.value.type)])
      if (unscoped !== null && command.decoded.value.type !== undefined) return yield* unscoped

      const now = yield* Clock.currentTimeMillis
      // A malformed body is always refused, so it takes no token.
      const isWellFormed = Object.keys(command.decoded.problems).length === 0
      let token: RateToken | null = null
      // One token for all attempts: after a conflict the data is read again and the token is kept.
      const load = Effect.suspend(() => {
        const tokenRequest =
          isWellFormed && token === null && caller.unlimited !== true ? sendRateToken(caller.application, now) : null
        return loadSendWorld(
          { storage, providers, recipientCache },
          caller,
          command.decoded,
          command.idempotency.key,
          tokenRequest
        )
      }).pipe(
        Effect.tap((world) => {
          if (world.token === null) return Effect.void
          token = world.token
          return noteToken(token)
        }),
        Effect.map((world): SendWorld => ({ ...world, token, urlProblem }))
      )
      const refund = Effect.suspend(() =>
        token === null ? Effect.void : buckets.refundSend(caller.application, token)
      )
      const key = { applicationId: caller.application.id, key: command.idempotency.key }
      const commitAndStart = (leaseFor: LeaseFor) =>
        decideAndCommit(
          load,
          (world, now, ids) => sendMessage(world, command, { leaseFor, verdictWait: settings.verdictWait }, now, ids),
          ({ accepted }) => (accepted === null ? Effect.void : entitlements.check(caller.application, "messages.send"))
        ).pipe(
          Effect.tapError((error) => {
            switch (error._tag) {
              case "Refusal":
                return refundedRefusals.includes(error.code) ? refund : Effect.void
              case "StorageUnavailable":
              case "StorageBusy":
                return Effect.ignore(Effect.timeout(Effect.interruptible(refund), refundTimeout))
              default:
                return Effect.void
            }
          }),
          Effect.flatMap(
            ({ accepted, answer }): Effect.Effect<Started, ReadError> =>
              accepted === null
                ? Effect.as(refund, { accepted, answer, waiting: null })
                : Effect.map(begin(accepted, { key, body: answer.body }), (waiting) => ({ accepted, answer, waiting }))
          )
        )
      // Uninterruptible: if the client disconnects between commit and start, the message would otherwise wait until the
      // lease ends.
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(dispatcher.withReservedCapacity("sends", commitAndStart), ({ accepted, answer, waiting }) =>
          accepted === null || waiting === null
            ? Effect.succeed(answer)
            : Effect.ensuring(restore(answerWithin(waiting, accepted, answer)), waiting.forget)
        )
      )
    })

  /** Starts the send job if this process has its lease. Returns the wait for the verdict, if there is one. */
  const begin = ({ job, message, verdictWait }: Accepted, stored: StoredAnswer): Effect.Effect<Waiting | null> => {
    if (job.leaseOwner !== dispatcher.owner) return Effect.succeed(null)
    const waiting = verdictWait === 0 ? Effect.succeed(null) : verdicts.expect(message.id, stored)
    return Effect.zipLeft(waiting, dispatcher.start(job))
  }

  /** The response after the verdict or after the verdict wait, whichever is first. */
  const answerWithin = (
    { stored, verdict }: Waiting,
    { message, job, verdictWait }: Accepted,
    answer: Answer
  ): Effect.Effect<Answer, Refusal | CommitError> =>
    verdict.pipe(
      Effect.timeoutOption(Duration.millis(verdictWait)),
      Effect.flatMap((received) =>
        Option.isSome(received) ? Effect.succeed(received) : withoutVerdict(message, stored, verdict)
      ),
      Effect.flatMap((received) =>
        Option.isSome(received) && received.value._tag === "Rejected" && received.value.freed
          ? Effect.flatMap(providerError(job.subject, message.id, received.value.outcome), Effect.fail)
          : Effect.succeed(answer)
      )
    )

  /**
   * Sets the idempotency record to `done` after the wait. If a rejection freed the key just before, the rejection is
   * the verdict.
   */
  const withoutVerdict = (message: Message, stored: StoredAnswer, verdict: Effect.Effect<Verdict>) =>
    decideAndCommit(storage.read({ records: lookup("idempotency", stored.key) }), ({ records }) => {
      const record = ownRecord(stored, records)
      return Either.right({
        changes: record?.state === "awaiting" ? changes(message.workspaceId, completeIdempotency(record)) : null,
        result: record === undefined
      })
    }).pipe(Effect.flatMap((freed) => (freed ? Effect.asSome(verdict) : Effect.succeedNone)))

  const providerError = (connectionId: string, messageId: string, { providerCode, providerMessage }: Rejected) =>
    Effect.map(storage.read({ connections: lookup("connections", { id: connectionId }) }), ({ connections }) =>
      refuse("provider_error", {
        provider: connections[0]?.provider,
        code: providerCode,
        message: providerMessage,
        message_id: messageId
      })
    )

  const get: Messages["get"] = (caller, id) =>
    Effect.gen(function* () {
      if (!isUuid(id)) return yield* refuse("not_found")
      const { messages } = yield* storage.read({ messages: lookup("messages", { id: id.toLowerCase() }) })
      const message = messages[0]
      if (message === undefined || !isVisible(caller, message)) return yield* refuse("not_found")
      return message
    })

  return Messages.of({ send, get })
})

type Rejected = SendOutcome & { readonly _tag: "Rejected" }
type Accepted = NonNullable<Sent["accepted"]>
/** A send whose job runs, if this process has capacity for it. */
interface Started extends Sent {
  /** Null: the answer does not wait for the verdict. */
  readonly waiting: Waiting | null
}
