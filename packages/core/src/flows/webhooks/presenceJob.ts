import { Clock, Effect } from "effect"
import { derivedId } from "../../kernel/derivedId.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { type Instant, minute } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"
import { changes, endJob, expect, type Parts, settleJob } from "../../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../../ports/Storage.js"
import { replaced } from "./redeliver.js"

const task = "presence"

/** Interval in ms at which a process that handles a subscription claims its job. */
const intervalMs = minute

const idOf = (endpointId: string): string => derivedId(endpointId, task)

/**
 * The recurring job that tells whether a process handles a subscription, also while no event waits for it: only such
 * processes claim the job, so without one it stays due (docs/reference/webhooks.md#subscriptions). The payload is that
 * of a delivery that does not exist, whose job hosts of earlier versions end.
 */
export const presenceJob = ({ applicationId, id, workspaceId }: Endpoint, now: Instant): Job =>
  newJob({
    id: idOf(id),
    workspaceId,
    lane: "subscriptions",
    subject: id,
    reference: id,
    payload: { task, eventId: id, applicationId },
    runAt: now + intervalMs,
    createdAt: now
  })

export const isPresenceJob = ({ payload }: Pick<Job, "payload">): boolean => payload?.task === task

/**
 * The job is due again after the interval, until the subscription is deleted. Conflicts with a process that subscribes
 * anew meanwhile, which finds this job and makes none.
 */
export const settlePresence = (job: Job, endpoint: Endpoint | undefined, now: Instant): Parts => {
  if (endpoint === undefined) return { settle: endJob(job) }
  const { id, status } = endpoint
  if (status === "deleted") return { expects: [expect("endpoints", { id }, { status })], settle: endJob(job) }
  return { settle: settleJob(job, { runAt: now + intervalMs, lane: job.lane, payload: job.payload }) }
}

/** Ends the job of a deleted subscription, which no process may claim. False if a process runs it: try again later. */
export const endPresence = (storage: Storage, endpointId: string): Effect.Effect<boolean, CommitError> =>
  Effect.gen(function* () {
    const { endpoint, job } = yield* storage.read({
      endpoint: lookup("endpoints", { id: endpointId }),
      job: lookup("jobs", { id: idOf(endpointId) })
    })
    const [present] = job
    if (endpoint[0]?.status !== "deleted" || present === undefined) return true
    if (present.leaseUntil > (yield* Clock.currentTimeMillis)) return false
    const isDeleted = { expects: [expect("endpoints", { id: endpointId }, { status: "deleted" })] }
    const { _tag } = yield* storage.commit(changes(present.workspaceId, isDeleted, replaced(present)))
    return _tag === "Committed"
  })
