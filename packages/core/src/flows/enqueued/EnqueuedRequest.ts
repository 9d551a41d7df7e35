import { type Either, type ParseResult, Schema } from "effect"
import { isStorable } from "../../kernel/input/Fields.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"

/** Whether it has 1 to 255 characters of valid Unicode without U+0000, on which databases differ. */
export const isIdempotencyKey = (key: string): boolean => key.length >= 1 && key.length <= 255 && isStorable(key)

/** A request that its application wrote in a transaction of its own (docs/reference/enqueue.md#the-row). */
export const EnqueuedRequest = Schema.Struct({
  kind: Schema.Literal("send", "event"),
  key: Schema.String.pipe(Schema.filter(isIdempotencyKey)),
  /** The body of `POST /messages` or `POST /events`. */
  body: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
export type EnqueuedRequest = typeof EnqueuedRequest.Type

/** The request of a job of the lane `enqueued`; left for a payload that another program wrote wrongly. */
export const readEnqueued: (job: Pick<Job, "payload">) => Either.Either<EnqueuedRequest, ParseResult.ParseError> = ({
  payload
}) => decode(payload)

const decode = Schema.decodeUnknownEither(EnqueuedRequest)

/**
 * The job with its ids as the database stores those of rows: another program may have written that of the application
 * in upper case (docs/reference/enqueue.md#the-row).
 */
export const withStoredIds = (job: Job): Job => ({
  ...job,
  workspaceId: job.workspaceId.toLowerCase(),
  subject: job.subject.toLowerCase()
})

/** The job of an enqueued request, which is the whole of it. */
export const enqueuedJob = (
  owner: { readonly workspaceId: string; readonly applicationId: string },
  request: EnqueuedRequest,
  id: string,
  now: Instant
): Job =>
  newJob({
    id,
    workspaceId: owner.workspaceId,
    lane: "enqueued",
    subject: owner.applicationId,
    reference: id,
    payload: request,
    runAt: now,
    createdAt: now
  })
