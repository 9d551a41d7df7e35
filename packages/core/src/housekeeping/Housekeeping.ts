import { Clock, Context, Duration, Effect, Schedule } from "effect"
import { eraseContactData } from "../erasure/eraseContactData.js"
import type { Refusal } from "../errors/Refusal.js"
import { recoverEndpoint } from "../flows/webhooks/recoverEndpoint.js"
import { resumeDeliveries } from "../flows/webhooks/resumeDeliveries.js"
import type { TaskResult } from "../flows/webhooks/TaskResult.js"
import { Decider } from "../kernel/Decider.js"
import { EngineSettings } from "../kernel/EngineSettings.js"
import { minute } from "../model/Instant.js"
import type { Job } from "../model/Job.js"
import { Blobs, type BlobsUnavailable } from "../ports/Blobs.js"
import { changes, settleJob } from "../ports/Changes.js"
import { Notifier } from "../ports/Notifier.js"
import { type CommitError, Storage } from "../ports/Storage.js"
import { deleteUpload } from "../resources/attachments/deleteUpload.js"
import { reassignContactData } from "../resources/contacts/reassignContactData.js"
import { reassignConversation } from "../resources/contacts/reassignConversation.js"
import { deliverNotification } from "../resources/notifications/deliverNotification.js"
import { purgeHistory } from "./purgeHistory.js"

/** Handler of the lane `housekeeping`, and the purge of history (docs/reference/queue.md#housekeeping-tasks). */
export interface Housekeeping {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
  /** Deletes history past its retention, in batches (docs/reference/administration.md#retention). */
  readonly purge: Effect.Effect<void>
}
export const Housekeeping = Context.GenericTag<Housekeeping>("@parley/core/Housekeeping")

const purgeEvery = Duration.minutes(10)

const done = <E>(task: Effect.Effect<void, E>): Effect.Effect<TaskResult, E> => Effect.as(task, "done")

export const make = Effect.map(
  Effect.all([Storage, Blobs, Notifier, EngineSettings, Decider]),
  ([storage, blobs, notifier, { retention }, decider]): Housekeeping => {
    /** By the `task` of a job's payload. Each task is idempotent. */
    const tasks: {
      readonly [task: string]: (job: Job) => Effect.Effect<TaskResult, Refusal | CommitError | BlobsUnavailable>
    } = {
      resume_endpoint: (job) => resumeDeliveries(storage, job),
      recover_endpoint: (job) => recoverEndpoint(storage, decider, retention, job),
      notify: ({ reference }) => done(deliverNotification(storage, notifier, reference)),
      move_messages: (job) => done(reassignConversation(storage, job)),
      gather_contact: (job) => done(reassignContactData(storage, job)),
      delete_upload: ({ reference }) => done(deleteUpload(storage, blobs, decider, reference)),
      erase_contact: (job) => done(eraseContactData(storage, blobs, job))
    }
    return {
      run: (job) => {
        const task = tasks[`${job.payload?.task}`]
        // The job stays in the queue, because a host of a newer version may know the task.
        if (task === undefined) return Effect.dieMessage(`there is no housekeeping task ${job.payload?.task}`)
        return Effect.gen(function* () {
          const result = yield* task(job)
          const now = yield* Clock.currentTimeMillis
          const again = result === "done" ? null : { runAt: now + minute, lane: job.lane, payload: result.again }
          yield* storage.commit(changes(job.workspaceId, { settle: settleJob(job, again) }))
        })
      },
      purge: purgeHistory(storage, decider, retention)
    }
  }
)

/** Purges every 10 minutes until its scope closes, first after 10 minutes. */
export const purging = Effect.flatMap(Housekeeping, ({ purge }) =>
  purge.pipe(
    // A defect must not end the purge for good.
    Effect.catchAllDefect((defect) => Effect.logError("history could not be purged", defect)),
    Effect.repeat(Schedule.spaced(purgeEvery)),
    Effect.delay(purgeEvery),
    Effect.forkScoped
  )
)
