import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import { eraseContactData } from "../contacts/eraseContactData.js"
import { gatherContact } from "../contacts/gatherContact.js"
import { moveMessages } from "../conversations/moveMessages.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { tellNotification } from "../notifications/tellNotification.js"
import { changes, expect, row } from "../ports/Changes.js"
import { Notifier } from "../ports/Notifier.js"
import { type CommitError, type ReadError, Storage } from "../ports/Storage.js"
import { deliveryJob } from "../webhooks/deliveryJob.js"
import type { Job } from "./Job.js"
import { purgeHistory } from "./purgeHistory.js"

/** Work that no caller waits for: the lane `housekeeping`. */
export interface Housekeeping {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError>
  /** Deletes what is past its retention (decisions.md §12), in batches. */
  readonly purge: Effect.Effect<void, ReadError>
}
export const Housekeeping = Context.GenericTag<Housekeeping>("@parley/core/Housekeeping")

const purgeEvery = Duration.minutes(10)
const resumeBatch = 200

const make = Effect.map(
  Effect.all([Storage, Notifier, EngineSettings]),
  ([storage, notifier, { retention }]): Housekeeping => {
    /** Gives every waiting delivery of an endpoint a job again; those that have one keep it. */
    const resume = (endpointId: string, after: string | null): Effect.Effect<void, CommitError> =>
      Effect.gen(function* () {
        const where = { endpointId, status: "pending" as const }
        const waiting = yield* storage.list({ from: "deliveries", where, after, limit: resumeBatch })
        const last = waiting.at(-1)
        if (last === undefined) return
        const now = yield* Clock.currentTimeMillis
        yield* storage.commit(
          changes(last.workspaceId, {
            expects: [expect("endpoints", { id: endpointId })],
            ensures: waiting.map((delivery) => row("jobs", deliveryJob(delivery, now)))
          })
        )
        if (waiting.length === resumeBatch) yield* resume(endpointId, last.id)
      })

    return {
      run: (job) =>
        Effect.gen(function* () {
          if (job.payload?.task === "resume_endpoint") yield* resume(job.reference, null)
          if (job.payload?.task === "notify") yield* tellNotification(storage, notifier, job.reference)
          if (job.payload?.task === "move_messages") yield* moveMessages(storage, job.reference)
          if (job.payload?.task === "gather_contact") yield* gatherContact(storage, job)
          if (job.payload?.task === "erase_contact") yield* eraseContactData(storage, job)
          yield* storage.commit(changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }))
        }),
      purge: purgeHistory(storage, retention)
    }
  }
)

export const layer: Layer.Layer<Housekeeping, never, Storage | Notifier | EngineSettings> = Layer.effect(
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
