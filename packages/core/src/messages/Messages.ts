import { Clock, Context, Duration, Effect, Either, Layer, Option } from "effect"
import type { Answer } from "../access/Answer.js"
import { type Caller, missingScope } from "../access/Caller.js"
import { countedSend, RateBuckets, sendDraw } from "../access/RateBuckets.js"
import { finish } from "../access/recall.js"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { ErrorCode } from "../errors/Catalogue.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { makeHints } from "../Hints.js"
import { isUuid } from "../input/Fields.js"
import { changes, type Key } from "../ports/Changes.js"
import { ChannelProviders, type SendOutcome } from "../ports/ChannelProvider.js"
import { Entitlements } from "../ports/Entitlements.js"
import { type CommitError, type Draw, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Verdict } from "../sends/Verdict.js"
import { Verdicts, type Waiting } from "../sends/Verdicts.js"
import { Dispatcher } from "../worker/Dispatcher.js"
import type { Message } from "./Message.js"
import type { SendCommand } from "./SendCommand.js"
import { loadSendWorld } from "./SendWorld.js"
import { permitSend, type Sent, sendMessage } from "./sendMessage.js"
import { validateSend } from "./validateSend.js"
import { isVisible } from "./visibility.js"

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

/** Refusals of steps 7 and 8 of decisions.md §2: a call that meets them once it lost a race has drawn too early. */
const drawsNone: ReadonlyArray<ErrorCode> = ["idempotency_conflict", "validation_failed"]

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const settings = yield* EngineSettings
  const buckets = yield* RateBuckets
  const dispatcher = yield* Dispatcher
  const verdicts = yield* Verdicts
  const { decideAndCommit } = yield* Decider
  const hints = makeHints<string>()

  const send: Messages["send"] = (caller, command) =>
    Effect.gen(function* () {
      const unscoped = missingScope(caller, [
        command.draft.value.type === "template" ? "templates.send" : "messages.send"
      ])
      if (unscoped !== null && command.draft.value.type !== undefined) return yield* unscoped

      const load = (draw: Draw | null) =>
        loadSendWorld(storage, providers, hints, caller, command.draft, command.idempotency.key, draw)
      const now = yield* Clock.currentTimeMillis
      // Drawn with the read that tells whether this is a send at all, since it mostly is: a draw of its own would be one wait more.
      const mayBeSend = Object.keys(command.draft.problems).length === 0
      const { drawn, world } = yield* load(mayBeSend ? sendDraw(caller.application, now) : null)
      const validated = validateSend(world, command, now)
      const giveBack = drawn === null ? Effect.void : buckets.giveBackSend(caller.application, drawn)
      const checked = yield* Effect.tapError(validated, () => giveBack)
      const isSend = "valid" in checked
      if (isSend) {
        if (drawn !== null) yield* countedSend(drawn, now)
        yield* permitSend(world, checked.valid, now)
      } else {
        yield* giveBack
      }
      const givenBack = isSend ? giveBack : Effect.void

      const offer = { lease: dispatcher.offer("sends", now), verdictWait: settings.verdictWait }
      const carriedOut = decideAndCommit(
        loadedFirst(
          world,
          Effect.map(load(null), (again) => again.world)
        ),
        (current, now, ids) =>
          sendMessage(current, command, offer, now, ids, current === world ? validated : undefined),
        ({ accepted }) => (accepted === null ? Effect.void : entitlements.check(caller.application, "messages.send"))
      ).pipe(Effect.tapErrorTag("Refusal", ({ code }) => (drawsNone.includes(code) ? givenBack : Effect.void)))
      // A caller who goes away between the commit and the start must not leave the message to the end of its lease.
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(carriedOut, ({ accepted, answer }) => {
          if (accepted !== null) {
            return Effect.flatMap(
              begin(accepted, { applicationId: caller.application.id, key: command.idempotency.key }),
              (waiting) =>
                waiting === null
                  ? Effect.succeed(answer)
                  : Effect.ensuring(restore(answerWithin(waiting, accepted, answer)), waiting.forget)
            )
          }
          return Effect.as(givenBack, answer)
        })
      )
    })

  /** Starts to hand over what this process may; answers the wait for the verdict, where there is one. */
  const begin = ({ job, message, verdictWait }: Accepted, key: Key<"idempotency">): Effect.Effect<Waiting | null> => {
    if (job.leaseOwner !== dispatcher.owner) return Effect.succeed(null)
    const waiting = verdictWait === 0 ? Effect.succeed(null) : verdicts.expect(message.id, key)
    return Effect.zipLeft(waiting, dispatcher.start(job))
  }

  /** The answer once the provider's verdict is there, or when the wait is over without one. */
  const answerWithin = (
    { key, verdict }: Waiting,
    { message, job, verdictWait }: Accepted,
    answer: Answer
  ): Effect.Effect<Answer, Refusal | CommitError> =>
    verdict.pipe(
      Effect.timeoutOption(Duration.millis(verdictWait)),
      Effect.flatMap((told) => (Option.isSome(told) ? Effect.succeed(told) : withoutVerdict(message, key, verdict))),
      Effect.flatMap((told) =>
        Option.isSome(told) && told.value._tag === "Rejected" && told.value.freed
          ? Effect.flatMap(providerError(job.subject, message.id, told.value.outcome), Effect.fail)
          : Effect.succeed(answer)
      )
    )

  /** Lets the key be replayed from now on; where a rejection freed it at the last moment, that is the verdict. */
  const withoutVerdict = (message: Message, key: Key<"idempotency">, verdict: Effect.Effect<Verdict>) =>
    decideAndCommit(storage.read({ records: lookup("idempotency", key) }), ({ records: [record] }) =>
      Either.right({
        changes: record?.state === "awaiting" ? changes(message.workspaceId, finish(record)) : null,
        result: record === undefined
      })
    ).pipe(Effect.flatMap((freed) => (freed ? Effect.asSome(verdict) : Effect.succeedNone)))

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

/** The first load has happened already; after a conflict it must happen again. */
const loadedFirst = <World>(world: World, load: Effect.Effect<World, ReadError>): Effect.Effect<World, ReadError> => {
  let first = true
  return Effect.suspend(() => {
    if (!first) return load
    first = false
    return Effect.succeed(world)
  })
}

export const layer: Layer.Layer<
  Messages,
  never,
  Storage | ChannelProviders | Entitlements | EngineSettings | RateBuckets | Dispatcher | Verdicts | Decider
> = Layer.effect(Messages, make)
