import {
  type BegunAttempt,
  countsAtClaim,
  dueAtOf,
  type Instant,
  type Job,
  type Lease,
  type PostponeJobs
} from "@parley/core"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import type { Row } from "./storableRow.js"

const heldJob = (database: MemoryDatabase, { epoch, jobId }: Lease): Job | null => {
  const job = database.table("jobs").get(jobId) as unknown as Job | undefined
  return job?.epoch === epoch ? job : null
}

const put = (database: MemoryDatabase, job: Job) => database.table("jobs").put(job as unknown as Row)

/** Extends leases, and returns those that are lost. */
export const renewLeases = (database: MemoryDatabase, leases: ReadonlyArray<Lease>, until: Instant) => {
  const lost: Array<Lease> = []
  for (const lease of leases) {
    const job = heldJob(database, lease)
    if (job === null) lost.push(lease)
    else put(database, { ...job, leaseUntil: until })
  }
  if (lost.length < leases.length) database.flush()
  return lost
}

/** Sets the number of attempts. False if the lease is lost. */
export const beginAttempt = (database: MemoryDatabase, begun: BegunAttempt): boolean => {
  const job = heldJob(database, begun)
  if (job === null || job.leaseOwner !== begun.owner) return false
  database.flush()
  put(database, { ...job, attempts: begun.attempt })
  return true
}

/** Releases leased jobs that were not started. */
export const releaseLeases = (database: MemoryDatabase, leases: ReadonlyArray<Lease>) => {
  for (const lease of leases) {
    const job = heldJob(database, lease)
    if (job === null) continue
    const attempts = job.attempts - (countsAtClaim(job.lane) ? 1 : 0)
    put(database, { ...job, leaseUntil: 0, leaseOwner: null, epoch: job.epoch + 1, attempts })
    database.flush()
  }
}

/** Postpones the first unleased jobs of a subject whose readiness time has moved later. */
export const postponeJobs = (
  database: MemoryDatabase,
  { behind, dueBefore, field, lane, limit, notBefore, subject }: PostponeJobs
) => {
  const moved: Array<readonly [before: Job, runAt: Instant]> = []
  for (const job of database.table("jobs").lane(lane)) {
    if (moved.length === limit || dueAtOf(job) >= dueBefore) break
    if (job.subject !== subject || job.leaseUntil !== 0) continue
    const time = job.payload?.[field] ?? null
    if (behind === null ? time !== null || job.attempts > 0 : time === null) continue
    const runAt = behind === null ? notBefore : Math.max(Number(time) + behind, notBefore)
    if (runAt > job.runAt) moved.push([job, runAt])
  }
  if (moved.length === 0) return
  database.relaxed(() => {
    for (const [job] of moved) put(database, job)
  })
  for (const [job, runAt] of moved) put(database, { ...job, runAt })
}
