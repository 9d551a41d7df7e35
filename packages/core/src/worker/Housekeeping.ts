import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { eraseContactData } from "../contacts/eraseContactData.js"
import { gatherContact } from "../contacts/gatherContact.js"
import { moveMessages } from "../conversations/moveMessages.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { tellNotification } from "../notifications/tellNotification.js"
import { Blobs, type BlobsUnavailable } from "../ports/Blobs.js"
import { changes } from "../ports/Changes.js"
import { Notifier } from "../ports/Notifier.js"
import { type CommitError, type ReadError, Storage } from "../ports/Storage.js"
import { resumeDeliveries } from "../webhooks/resumeDeliveries.js"
import type { Job } from "./Job.js"
import { purgeHistory } from "./purgeHistory.js"

/** Work that no caller waits for: the lane `housekeeping`. */
export interface Housekeeping {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
  /** Deletes what is past its retention (decisions.md §12), in batches. */
  readonly purge: Effect.Effect<void, ReadError>
}
export const Housekeeping = Context.GenericTag<Housekeeping>("@parley/core/Housekeeping")

const purgeEvery = Duration.minutes(10)

const make = Effect.map(
  Effect.all([Storage, Blobs, Notifier, EngineSettings]),
  ([storage, blobs, notifier, { retention }]): Housekeeping => {
    /** By the `task` of a job's payload. Each may be done twice. */
    const tasks: {
      readonly [task: string]: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
    } = {
      resume_endpoint: ({ reference }) => resumeDeliveries(storage, reference),
      notify: ({ reference }) => tellNotification(storage, notifier, reference),
      move_messages: ({ reference }) => moveMessages(storage, reference),
      gather_contact: (job) => gatherContact(storage, job),
      erase_contact: (job) => eraseContactData(storage, blobs, job)
    }
    return {
      run: (job) => {
        const task = tasks[`${job.payload?.task}`]
        // It stays in the queue: a host of a newer version may know it.
        if (task === undefined) return Effect.dieMessage(`there is no housekeeping task ${job.payload?.task}`)
        const settle = { jobId: job.id, epoch: job.epoch, again: null }
        return Effect.zipRight(task(job), Effect.asVoid(storage.commit(changes(job.workspaceId, { settle }))))
      },
      purge: purgeHistory(storage, retention)
    }
  }
)

export const layer: Layer.Layer<Housekeeping, never, Storage | Blobs | Notifier | EngineSettings> = Layer.effect(
  Housekeeping,
  make
)

/** Purges now and then, for as long as its scope lives. */
export const purging: Layer.Layer<never, never, Housekeeping> = Layer.scopedDiscard(
  Effect.flatMap(Housekeeping, ({ purge }) =>
    purge.pipe(
      Effect.catchAll((error) => Effect.logWarning(`history could not be purged: ${error.message}`)),
      Effect.repeat(Schedule.spaced(purgeEvery)),
      Effect.delay(purgeEvery),
      Effect.forkScoped
    )
  )
)
