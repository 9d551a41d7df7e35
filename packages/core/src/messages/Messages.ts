import { Clock, Context, Duration, Effect, Either, Layer } from "effect"
import type { Answer } from "../access/Answer.js"
import { type Caller, missingScope } from "../access/Caller.js"
import { RateBuckets } from "../access/RateBuckets.js"
import { finish } from "../access/recall.js"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { isUuid } from "../input/Fields.js"
import { changes, type Key } from "../ports/Changes.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { Entitlements } from "../ports/Entitlements.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import { Dispatcher } from "../worker/Dispatcher.js"
import type { Job } from "../worker/Job.js"
import type { Message } from "./Message.js"
import type { Verdict } from "./recordOutcome.js"
import type { SendCommand } from "./SendCommand.js"
import { loadSendWorld } from "./SendWorld.js"
import { permitSend, type Sent, sendMessage, verdictWaitOf } from "./sendMessage.js"
import { Verdicts } from "./Verdicts.js"
import { validateSend } from "./validateSend.js"

/** Sends messages and reads them. */
export interface Messages {
  /**
   * `POST /messages`, from the scope that depends on the body to the commit (decisions.md §2, steps 6 to 11), and the wait
   * for the provider's verdict. `requestId` is echoed in the acknowledgement.
   */
  readonly send: (caller: Caller, command: SendCommand) => Effect.Effect<Answer, Refusal | CommitError>
  /** `GET /messages/{id}`: `not_found` where it does not exist or the caller may not see it. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<Message, Refusal | ReadError>
}
export const Messages = Context.GenericTag<Messages>("@parley/core/Messages")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const settings = yield* EngineSettings
  const buckets = yield* RateBuckets
  const dispatcher = yield* Dispatcher
  const verdicts = yield* Verdicts
  const { decideAndCommit } = yield* Decider

  const send: Messages["send"] = (caller, command) =>
    Effect.gen(function* () {
      const unscoped = missingScope(caller, [
        command.draft.value.type === "template" ? "templates.send" : "messages.send"
      ])
      if (unscoped !== null && command.draft.value.type !== undefined) return yield* unscoped

      const load = loadSendWorld(storage, providers, caller, command)
      const world = yield* load
      const now = yield* Clock.currentTimeMillis
      const checked = yield* validateSend(world, command, now)
      const token = "valid" in checked ? yield* buckets.send(caller.application) : null
      const permitted = "valid" in checked ? yield* permitSend(world, checked.valid, now) : null

      const offer = { lease: dispatcher.offer("sends", now), verdictWait: settings.verdictWait }
      const first = loadedFirst(world, load)
      const sent = yield* decideAndCommit(
        first,
        (world, now, ids) => sendMessage(world, command, offer, now, ids),
        ({ accepted }) => (accepted === null ? Effect.void : entitlements.check(caller.application, "messages.send"))
      ).pipe(
        Effect.map(({ result }) => result),
        Effect.tap(({ accepted }) =>
          accepted === null || offer.lease === null ? Effect.void : dispatcher.start(accepted.job)
        ),
        // Between the commit and the start, a caller who goes away must not leave the message to the end of its lease.
        Effect.uninterruptible
      )
      if (sent.accepted === null) {
        if (token !== null) yield* buckets.giveBackSend(caller.application, token)
        return sent.answer
      }
      const wait =
        offer.lease === null || permitted === null ? 0 : verdictWaitOf(permitted.connection.config, offer.verdictWait)
      return wait === 0 ? sent.answer : yield* answerWithin(wait, caller, command, sent, sent.accepted)
    })

  /** The answer once the provider's verdict is there, or after `wait` ms without one. */
  const answerWithin = (
    wait: number,
    caller: Caller,
    { idempotency }: SendCommand,
    sent: Sent,
    { message, job }: { readonly message: Message; readonly job: Job }
  ): Effect.Effect<Answer, Refusal | CommitError> => {
    const key = { applicationId: caller.application.id, key: idempotency.key }
    const told = verdicts.await(message.id, key)
    return told.pipe(
      Effect.timeoutTo({
        duration: Duration.millis(wait),
        onSuccess: (verdict): Verdict | null => verdict,
        onTimeout: () => null
      }),
      Effect.flatMap((verdict) =>
        verdict !== null ? Effect.succeed(verdict) : Effect.as(finishRecord(message.workspaceId, key), null)
      ),
      Effect.flatMap((verdict) =>
        verdict?._tag === "Rejected" && verdict.freed
          ? Effect.flatMap(providerOf(job.subject), (provider) =>
              Effect.fail(
                refuse("provider_error", {
                  provider,
                  code: verdict.outcome.providerCode,
                  message: verdict.outcome.providerMessage,
                  message_id: message.id
                })
              )
            )
          : Effect.succeed(sent.answer)
      )
    )
  }

  const providerOf = (connectionId: string) =>
    Effect.map(
      storage.read({ connections: lookup("connections", { id: connectionId }) }),
      ({ connections }) => connections[0]?.provider
    )

  /** Lets a key be replayed whose verdict is not waited for any more. */
  const finishRecord = (workspaceId: string, key: Key<"idempotency">) =>
    decideAndCommit(storage.read({ records: lookup("idempotency", key) }), ({ records }) => {
      const record = records[0]
      return Either.right({
        changes: record?.state === "awaiting" ? changes(workspaceId, finish(record)) : null,
        result: null
      })
    })

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

/** The first load has happened already; after a conflict it must happen again. */
const loadedFirst = <World>(world: World, load: Effect.Effect<World, ReadError>): Effect.Effect<World, ReadError> => {
  let first = true
  return Effect.suspend(() => {
    if (!first) return load
    first = false
    return Effect.succeed(world)
  })
}

/**
 * Whether the caller may see it: on an allow-listed connection, and its own or nobody's (decisions.md §9). With the scope
 * `messages.status` alone, only what it sent (decisions.md §3).
 */
export const isVisible = ({ application, scopes }: Caller, message: Message): boolean =>
  message.workspaceId === application.workspaceId &&
  application.connectionIds.includes(message.connectionId) &&
  (message.applicationId === application.id || (message.applicationId === null && scopes.includes("messages.read")))

export const layer: Layer.Layer<
  Messages,
  never,
  Storage | ChannelProviders | Entitlements | EngineSettings | RateBuckets | Dispatcher | Verdicts | Decider
> = Layer.effect(Messages, make)
