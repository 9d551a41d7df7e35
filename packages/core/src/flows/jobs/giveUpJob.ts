import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { isUuid } from "../../kernel/input/Fields.js"
import type { AttachedFile } from "../../model/AttachedFile.js"
import type { Delivery } from "../../model/Delivery.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Message, MessageError } from "../../model/Message.js"
import { isOver, type Run } from "../../model/Run.js"
import { changes, endJob, expect, type Parts, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { failFiles } from "../../resources/attachments/failFiles.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import { advance } from "../../resources/messages/advance.js"
import { recordProgress } from "../../resources/messages/recordProgress.js"
import { readEnqueued } from "../enqueued/EnqueuedRequest.js"
import { recordRefused } from "../enqueued/enqueuedOutcome.js"
import { outcomeUnknown } from "../sends/recordOutcome.js"
import { isSendPayload, mayHaveArrived, progressOf } from "../sends/SendProgress.js"
import { enqueueNext, withoutOrder } from "../webhooks/deliveryOrder.js"

/** What a parked job works on. The resources of other lanes are undefined. */
export interface ParkedWorld {
  readonly message: Message | undefined
  readonly delivery: Delivery | undefined
  /** The delivery that starts when this one has ended. Undefined: none waits for it. */
  readonly next: Delivery | undefined
  readonly run: Run | undefined
  /** The file that the job fetches, or those of its message. */
  readonly files: ReadonlyArray<AttachedFile>
  /** The recorded outcome of an enqueued request. */
  readonly outcome: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/**
 * Ends a parked job for good: its message, delivery, run or files fail, unless it ended by other means
 * (docs/reference/queue.md#parked-jobs).
 */
export const giveUpJob = (
  { delivery, files, message, next, outcome, run, subscribers }: ParkedWorld,
  job: Job,
  now: Instant,
  ids: Ids
): Either.Either<Decision<void>, Refusal> =>
  Either.right({
    changes: changes(
      job.workspaceId,
      { settle: endJob(job) },
      message?.status === "queued" ? failedMessage(message, subscribers, job, now, ids) : {},
      ...(delivery?.status === "pending" ? failedDelivery(delivery, next, subscribers, now) : []),
      run === undefined || isOver(run) ? {} : failedRun(run, job, now),
      failFiles(files.filter(({ status }) => status === "waiting")),
      job.failure?.lane === "enqueued" && outcome === undefined && isUuid(job.subject)
        ? refusedRequest(job, subscribers, now, ids)
        : {}
    ),
    result: undefined
  })

const failedMessage = (message: Message, subscribers: Subscribers, job: Job, now: Instant, ids: Ids): Parts => {
  const error: MessageError =
    job.failure?.lane === "sends" && isSendPayload(job.payload) && mayHaveArrived(job)
      ? outcomeUnknown(progressOf(job).reason)
      : { code: "provider_error", message: "The message could not be handed to its provider." }
  return recordProgress(
    subscribers,
    { message, reached: advance(message, { status: "failed", at: now, error }) },
    now,
    ids
  )
}

const failedDelivery = (
  delivery: Delivery,
  next: Delivery | undefined,
  { endpoints }: Subscribers,
  now: Instant
): ReadonlyArray<Parts> => {
  const { endpointId, id, version } = delivery
  const failed: Parts = {
    expects: [expect("deliveries", { id }, { version })],
    sets: [set("deliveries", { id }, { status: "failed", completedAt: now, ...withoutOrder(delivery) })]
  }
  const endpoint = endpoints.find((one) => one.id === endpointId)
  return [failed, enqueueNext(next, endpoint, now)]
}

const failedRun = ({ id, version }: Run, { failure }: Job, now: Instant): Parts => {
  const reason = `its job failed ${failure?.count} times: ${failure?.error}`
  return {
    expects: [expect("workflowRuns", { id }, { version })],
    sets: [set("workflowRuns", { id }, { status: "failed", reason, endedAt: now })]
  }
}

const refusedRequest = (job: Job, subscribers: Subscribers, now: Instant, ids: Ids): Parts =>
  recordRefused(job, Either.getOrNull(readEnqueued(job)), refuse("internal_error"), subscribers, now, ids)
