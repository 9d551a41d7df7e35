import { Clock, Effect } from "effect"
import { type Instant, minute } from "../model/Instant.js"
import type { Job } from "../model/Job.js"
import { changes, type Settle, settleJob } from "../ports/Changes.js"
import type { CommitError, Storage } from "../ports/Storage.js"

/** Delay in ms before a job is tried again that needs sealed data which this host cannot open. */
const whileUnreadable = minute

/**
 * Logs that a job needs sealed data which this host cannot open, and tries it again in a minute, here or on another
 * host: the fault is this host's, so the job counts no failure. `again`: the job at that time.
 */
export const postponeUntilReadable = (
  storage: Pick<Storage, "commit">,
  job: Job,
  message: string,
  again: (runAt: Instant) => Settle["again"]
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    yield* Effect.logError(`${message}; check the secret key`)
    const runAt = (yield* Clock.currentTimeMillis) + whileUnreadable
    yield* storage.commit(changes(job.workspaceId, { settle: settleJob(job, again(runAt)) }))
  })
