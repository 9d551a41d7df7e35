import { Either } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { day, type Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Answer, Idempotency } from "./Answer.js"
import type { IdempotencyRecord } from "./IdempotencyRecord.js"

/** How long a key is remembered (spec, Limits). */
const retention = day

/** What a key already stands for. */
export interface Recalled {
  readonly answer: Answer
  /** Marks a send as done whose verdict nobody waits for any more; else nothing. */
  readonly parts: Parts
}

/**
 * Looks at the record of a key: null where the operation is to be carried out, the answer to repeat where it was, and 409
 * `idempotency_conflict` where the key stands for something else or its first request still runs (decisions.md §5);
 * `details.reason` tells which: `different_request` or `still_running`.
 */
export const recall = (
  record: IdempotencyRecord | undefined,
  idempotency: Idempotency,
  now: Instant
): Either.Either<Recalled | null, Refusal> => {
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
    parts: record.state === "awaiting" ? finish(record) : {}
  })
}

/** Whose keys they are: those of an application, in its workspace. */
export interface KeyOwner {
  readonly workspace: { readonly id: string }
  readonly application: { readonly id: string }
}

/** The owner of the keys that administrators use in a workspace: they are of no application. */
export const administrators = (workspaceId: string): KeyOwner => ({
  workspace: { id: workspaceId },
  application: { id: "00000000-0000-0000-0000-000000000000" }
})

/** Remembers what a key stands for, in place of a record that expired. */
export const remember = (
  expired: IdempotencyRecord | undefined,
  owner: KeyOwner,
  idempotency: Idempotency,
  answer: Pick<Answer, "status" | "body">,
  now: Instant,
  deadline: Instant | null = null
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
    expiresAt: now + retention,
    version: 1
  }
  if (expired === undefined) return { claims: [row("idempotency", record)] }
  const { applicationId, key, version: _version, ...values } = record
  return {
    expects: [expect("idempotency", { applicationId, key }, { version: expired.version })],
    sets: [set("idempotency", { applicationId, key }, values)]
  }
}

/** Turns a record that awaits a verdict into one that is replayed, if it still awaits. */
export const finish = ({ applicationId, key }: IdempotencyRecord): Parts => ({
  expects: [expect("idempotency", { applicationId, key }, { state: "awaiting" })],
  sets: [set("idempotency", { applicationId, key }, { state: "done" })]
})

/** Frees a key whose send was rejected while its sender waited, if it still awaits. */
export const free = ({ applicationId, key }: IdempotencyRecord): Parts => ({
  expects: [expect("idempotency", { applicationId, key }, { state: "awaiting" })],
  deletes: [{ table: "idempotency", key: { applicationId, key } }]
})
