import { Clock, Effect } from "effect"
import { storableText } from "../kernel/text/storableText.js"
import { type Instant, minute } from "../model/Instant.js"
import { type Job, type JobFailure, maxFailureText, waitsForKey } from "../model/Job.js"
import { changes, type Settle, settleJob } from "../ports/Changes.js"
import type { CommitError, Storage } from "../ports/Storage.js"

/** Delay in ms before a job is tried again that needs sealed data which this host cannot open. */
const whileUnreadable = minute

/** The reason for which a job waits, with a count of 0: the fault is this host's, so the job counts no failure. */
export const unreadableFailure = (job: Job, error: string, now: Instant): JobFailure => ({
  lane: job.lane,
  count: 0,
  since: job.failure !== null && waitsForKey(job) ? job.failure.since : now,
  error: storableText(error, maxFailureText)
})

/**
 * Logs that a job needs sealed data which this host cannot open, and tries it again in a minute, here or on another
 * host, with the reason as its failure ({@link unreadableFailure}). `what`: the job. `error`: what cannot be opened,
 * and why. `again`: the job at that time.
 */
export const postponeUntilReadable = (
  storage: Pick<Storage, "commit">,
  job: Job,
  { error, what }: { readonly what: string; readonly error: string },
  again: (runAt: Instant) => NonNullable<Settle["again"]>
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    yield* Effect.logError(`${what} waits: ${error}`)
    const now = yield* Clock.currentTimeMillis
    const next = { ...again(now + whileUnreadable), failure: unreadableFailure(job, error, now) }
    yield* storage.commit(changes(job.workspaceId, { settle: settleJob(job, next) }))
  })
