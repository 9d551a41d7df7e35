import { Clock, Context, Effect, Either, Option } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider, type Decision } from "../../kernel/Decider.js"
import { type Deferral, deferCommit } from "../../kernel/deferral.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { type Instant, minute } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Answer, Idempotency } from "./Answer.js"
import { administratorKeysOwner, noId } from "./administratorKeysOwner.js"
import { anyRequest, partBody, partRetention } from "./declaredPart.js"
import { keyRetention, lookUpIdempotency, storeIdempotency } from "./idempotency.js"

/** A request of an administrator with an `Idempotency-Key`. */
export interface KeyedRequest {
  /** The administrator, as the audit log names them. Each has a key space of their own. */
  readonly actor: string
  readonly idempotency: Idempotency
  /** Whether the answer has a secret that is shown once. It is stored sealed, for {@link secretRetention}. */
  readonly showsSecret: boolean
  /**
   * Set if the key is the name of a declared part in this scope. The name keeps the part's id for ever, whatever the
   * request was, and nothing else of the answer (docs/reference/idempotency.md#names-of-declared-parts).
   */
  readonly declaredIn?: string | undefined
}

/**
 * Idempotency of the admin API (docs/reference/idempotency.md#keys-of-administrators). Records and rules are those of
 * the public interface.
 */
export interface AdministratorKeys {
  /**
   * Carries an operation out once for each key, and replays its answer. The change of state that the operation decides
   * is committed together with the answer, after the operation has returned the answer. An operation of several
   * commits runs in `commitAtOnce`: its answer is stored in a last commit, and it must be repeatable.
   *
   * Fails with `idempotency_conflict`, and as the operation does. A refused operation stores nothing.
   */
  readonly answerOnce: (
    request: KeyedRequest,
    operation: Effect.Effect<Answer, Refusal | CommitError>
  ) => Effect.Effect<Answer, Refusal | CommitError>
}
export const AdministratorKeys = Context.GenericTag<AdministratorKeys>("@parley/core/AdministratorKeys")

/** Retention of answers with a secret, in ms: enough for the retry of a lost answer. */
export const secretRetention = 10 * minute

/** Maximum length of a stored answer, in characters. Longer ones are not kept: a repeated request is refused. */
export const maxAnswerLength = 262_144

/** An operation that was carried out but not committed, or a stored answer. */
type Outcome =
  | { readonly _tag: "Replayed"; readonly answer: Answer }
  | {
      readonly _tag: "Decided"
      readonly answer: Answer
      readonly expired: IdempotencyRecord | undefined
      readonly deferred: Readonly<Deferral>
    }

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { open, seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const stored = ({ body, status }: Answer, showsSecret: boolean, isPart: boolean): Pick<Answer, "status" | "body"> => {
    if (isPart) return { status, body: partBody({ id: JSON.parse(body).data.id, pruned: false }) }
    if (body.length > maxAnswerLength) return { status, body: "" }
    return { status, body: showsSecret ? seal(body) : body }
  }

  const opened = (answer: Answer): Effect.Effect<Answer, Refusal> => {
    // A body is a JSON object; sealed text is not.
    if (answer.body.startsWith("{")) return Effect.succeed(answer)
    if (answer.body === "") return answerNotKept
    return open(answer.body).pipe(
      Effect.map((body) => ({ ...answer, body })),
      Effect.catchTag("SecretUnreadable", () => answerNotKept)
    )
  }

  const recordOf = (owner: string, key: string): Effect.Effect<IdempotencyRecord | undefined, ReadError> =>
    Effect.map(
      storage.read({ records: lookup("idempotency", { applicationId: owner, key }) }),
      ({ records }) => records[0]
    )

  const replay = (
    record: IdempotencyRecord | undefined,
    idempotency: Idempotency
  ): Effect.Effect<Option.Option<Outcome>, Refusal> =>
    Effect.gen(function* () {
      const found = yield* lookUpIdempotency(record, idempotency, yield* Clock.currentTimeMillis)
      return found === null
        ? Option.none()
        : Option.some({ _tag: "Replayed" as const, answer: yield* opened(found.answer) })
    })

  const load = (
    { owner, idempotency }: { readonly owner: string; readonly idempotency: Idempotency },
    operation: Effect.Effect<Answer, Refusal | CommitError>
  ): Effect.Effect<Outcome, Refusal | CommitError> =>
    Effect.gen(function* () {
      const record = yield* recordOf(owner, idempotency.key)
      const known = yield* replay(record, idempotency)
      if (Option.isSome(known)) return known.value
      return yield* deferCommit(operation).pipe(
        Effect.map(({ deferred, result }): Outcome => ({ _tag: "Decided", answer: result, expired: record, deferred })),
        // The first request with the key may have been committed in between: the refusal may be due to its own effect.
        Effect.catchTag("Refusal", (refusal) =>
          Effect.flatMap(recordOf(owner, idempotency.key), (present) =>
            Effect.flatMap(
              replay(present, idempotency),
              Option.match({ onNone: () => refusal, onSome: Effect.succeed })
            )
          )
        )
      )
    })

  return AdministratorKeys.of({
    answerOnce: (request, operation) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { actor, declaredIn, showsSecret } = request
          const ownerId = declaredIn ?? administratorKeysOwner(actor)
          const isPart = declaredIn !== undefined
          const idempotency = isPart ? { ...request.idempotency, fingerprint: anyRequest } : request.idempotency
          const decide = (outcome: Outcome, now: Instant): Either.Either<Decision<Outcome>, Refusal> => {
            if (outcome._tag === "Replayed") return Either.right({ changes: null, result: outcome })
            const { answer, deferred, expired } = outcome
            const workspaceId = deferred.changes?.workspaceId ?? noId
            const owner = { workspace: { id: workspaceId }, application: { id: ownerId } }
            const keptMs = isPart ? partRetention : showsSecret ? secretRetention : keyRetention
            const kept = stored(answer, showsSecret, isPart)
            const record = storeIdempotency(expired, owner, idempotency, kept, now, { keptMs })
            return Either.right({ changes: changes(workspaceId, deferred.changes ?? {}, record), result: outcome })
          }
          const outcome = yield* decideAndCommit(restore(load({ owner: ownerId, idempotency }, operation)), decide)
          return outcome.answer
        })
      )
  })
})

const answerNotKept = refuse(
  "idempotency_conflict",
  { reason: "answer_not_kept" },
  "The request with this Idempotency-Key was carried out, but its answer is not kept. Read the result."
)
