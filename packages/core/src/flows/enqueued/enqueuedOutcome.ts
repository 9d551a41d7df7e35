import { Schema } from "effect"
import type { ErrorCode } from "../../errors/Catalogue.js"
import type { Details, Refusal } from "../../errors/Refusal.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { day, type Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Parts } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { lookup } from "../../ports/Storage.js"
import type { Answer } from "../../resources/access/Answer.js"
import { storeIdempotency } from "../../resources/access/idempotency.js"
import { emit, type Subscribers } from "../../resources/events/Outbox.js"
import type { EnqueuedRequest } from "./EnqueuedRequest.js"

/** How long the outcome of an enqueued request can be read, in ms. */
const keptMs = 30 * day

/**
 * The key of the record that holds the outcome. It is not a key of a request: those of applications have no control
 * characters, because headers cannot.
 */
const outcomeKey = (id: string): string => `enqueued\u0001${id}`

/** Reads the record of the outcome of a request. */
export const outcomeLookup = (applicationId: string, id: string) =>
  lookup("idempotency", { applicationId, key: outcomeKey(id) })

/** The outcome of an enqueued request (docs/reference/enqueue.md#outcome). */
export type EnqueuedOutcome =
  | { readonly status: "waiting" }
  /** `response`: `data` of the response of `POST /messages` or `POST /events`. */
  | { readonly status: "accepted"; readonly response: unknown }
  | {
      readonly status: "refused"
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: Details }
    }

/** The parts that record that a request was accepted. */
export const recordAccepted = (job: Job, { body }: Pick<Answer, "body">, now: Instant): Parts =>
  recorded(job, { status: 202, body: JSON.stringify({ status: "accepted", response: JSON.parse(body).data }) }, now)

/**
 * The parts that record that a request was refused, with the event `enqueued.failed`. `request`: null if unreadable.
 */
export const recordRefused = (
  job: Job,
  request: EnqueuedRequest | null,
  { code, details, message }: Refusal,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): Parts => {
  const error = { code, message, details }
  const event = {
    workspaceId: job.workspaceId,
    type: "enqueued.failed" as const,
    applicationId: job.subject,
    connectionId: null,
    subjectId: job.id,
    data: { enqueued: { id: job.id, kind: request?.kind ?? null, idempotency_key: request?.key ?? null, error } }
  }
  return {
    ...recorded(job, { status: 422, body: JSON.stringify({ status: "refused", error }) }, now),
    inserts: emit(subscribers, event, now, ids)
  }
}

const recorded = ({ id, subject, workspaceId }: Job, answer: Pick<Answer, "status" | "body">, now: Instant): Parts =>
  storeIdempotency(
    undefined,
    { workspace: { id: workspaceId }, application: { id: subject } },
    { key: outcomeKey(id), fingerprint: "" },
    answer,
    now,
    { keptMs }
  )

const decode = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Union(
      Schema.Struct({ status: Schema.Literal("accepted"), response: Schema.Unknown }),
      Schema.Struct({ status: Schema.Literal("refused"), error: Schema.Unknown })
    )
  )
)

/** The outcome of a record that {@link recordAccepted} or {@link recordRefused} wrote. */
export const outcomeOf = ({ body }: IdempotencyRecord): EnqueuedOutcome => decode(body) as EnqueuedOutcome
