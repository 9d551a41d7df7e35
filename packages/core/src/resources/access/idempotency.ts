import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { day, type Instant } from "../../model/Instant.js"
import { expect, type Key, type Parts, row, set } from "../../ports/Changes.js"
import type { Answer, Idempotency } from "./Answer.js"

/** Retention of a key, in ms (docs/reference/idempotency.md#key-retention). */
export const keyRetention = day

/** The stored response of a key. */
export interface IdempotentReplay {
  readonly answer: Answer
  /** Sets a record to `done` whose request no longer waits for a verdict; else empty. */
  readonly parts: Parts
}

/**
 * Idempotency lookup. Null: execute the operation. Else the response to replay. Fails with `idempotency_conflict` if
 * the key was used for another request or its first request is still running
 * (docs/reference/idempotency.md#the-same-key-again); `details.reason` is `different_request` or `still_running`.
 */
export const lookUpIdempotency = (
  record: IdempotencyRecord | undefined,
  idempotency: Idempotency,
  now: Instant
): Either.Either<IdempotentReplay | null, Refusal> => {
  if (record === undefined || record.expiresAt <= now) return Either.right(null)
  if (record.fingerprint !== idempotency.fingerprint) {
    return Either.left(
      refuse(
        "idempotency_conflict",
        { reason: "different_request" },
        "This Idempotency-Key was used for a different request. Use a new key."
      )
    )
  }
  if (record.state === "awaiting" && now < record.deadline) {
    return Either.left(
      refuse(
        "idempotency_conflict",
        { reason: "still_running" },
        "The first request with this Idempotency-Key is still running. Try again soon."
      )
    )
  }
  return Either.right({
    answer: { status: record.status, body: record.body, replayed: true },
    parts: completeIdempotency(record)
  })
}

/** Where the response of a request is stored. */
export interface StoredAnswer {
  readonly key: Key<"idempotency">
  readonly body: string
}

/**
 * The record of this request among those found by its key. Undefined if the key was freed, also if another request used
 * it since: that has another response, because each names its message.
 */
export const ownRecord = (
  { body }: StoredAnswer,
  found: ReadonlyArray<IdempotencyRecord>
): IdempotencyRecord | undefined => found.find((record) => record.body === body)

/** The owner of keys: an application, in its workspace. */
export interface KeyOwner {
  readonly workspace: { readonly id: string }
  readonly application: { readonly id: string }
}

/**
 * Stores the record of a key; replaces an expired one. With a `deadline` the record awaits a verdict until then.
 * `keptMs`: for how long the record is valid.
 */
export const storeIdempotency = (
  expired: IdempotencyRecord | undefined,
  owner: KeyOwner,
  idempotency: Idempotency,
  answer: Pick<Answer, "status" | "body">,
  now: Instant,
  { deadline = null, keptMs = keyRetention }: { readonly deadline?: Instant | null; readonly keptMs?: number } = {}
): Parts => {
  const record: IdempotencyRecord = {
    workspaceId: owner.workspace.id,
    applicationId: owner.application.id,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
    state: deadline === null ? "done" : "awaiting",
    deadline: deadline ?? now,
    status: answer.status,
    body: answer.body,
    createdAt: now,
    expiresAt: now + keptMs,
    version: 1
  }
  if (expired === undefined) return { claims: [row("idempotency", record)] }
  const { applicationId, key, version: _version, ...values } = record
  return {
    expects: [expect("idempotency", { applicationId, key }, { version: expired.version })],
    sets: [set("idempotency", { applicationId, key }, values)]
  }
}

/** Sets a record that awaits a verdict to `done`, so that it is replayed. Conflicts if it no longer awaits one. */
export const completeIdempotency = (record: IdempotencyRecord | undefined): Parts => {
  if (record?.state !== "awaiting") return {}
  const { applicationId, key } = record
  return {
    expects: [expect("idempotency", { applicationId, key }, { state: "awaiting" })],
    sets: [set("idempotency", { applicationId, key }, { state: "done" })]
  }
}

/**
 * Deletes the record of a send that was rejected while its request waited: the key is free again. Conflicts if the
 * record no longer awaits a verdict.
 */
export const releaseIdempotency = ({ applicationId, key }: IdempotencyRecord): Parts => ({
  expects: [expect("idempotency", { applicationId, key }, { state: "awaiting" })],
  deletes: [{ table: "idempotency", key: { applicationId, key } }]
})
