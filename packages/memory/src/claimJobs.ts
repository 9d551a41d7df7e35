import {
  type ClaimedJobs,
  type ClaimJobs,
  countsAtClaim,
  dueAtOf,
  type Instant,
  type Job,
  type Lane
} from "@parley/core"
import { compareDue, firstDueFrom } from "./dueOrder.js"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import type { MemoryTable } from "./MemoryTable.js"
import type { Row } from "./storableRow.js"

type ClaimRequest = ClaimJobs["lanes"][number]

/** Leases due jobs as the adapter for Postgres does, whose claims have bounds of due times. */
export const claimJobs = (
  database: MemoryDatabase,
  { lanes, leaseMs, nextDueUntil = Number.MAX_SAFE_INTEGER, now, owner }: ClaimJobs
): ClaimedJobs => {
  if (lanes.length === 0) return { jobs: [], nextDueAt: null }
  const table = database.table("jobs")
  const clearedTo = new Map<Lane, Instant>()
  const claimed = lanes.flatMap((request) => {
    const { cleared, jobs } = choose(table, request, now)
    clearedTo.set(request.lane, cleared)
    return jobs
  })
  const leaseOf = (job: Job): Job => {
    const { attempts, epoch } = job
    return {
      ...job,
      leaseUntil: now + leaseMs,
      leaseOwner: owner,
      epoch: epoch + 1,
      attempts: attempts + (countsAtClaim(job.lane) ? 1 : 0)
    }
  }
  const jobs = claimed.map((job) => {
    const leased = leaseOf(job)
    // Claims may be undone by a power failure.
    database.relaxed(() => table.put(job as unknown as Row))
    table.put(leased as unknown as Row)
    return leased
  })
  jobs.sort(oldestFirst)
  const isFull = lanes.some(({ lane, limit }) => jobs.filter((job) => job.lane === lane).length >= limit)
  if (isFull || nextDueUntil === null) return { clearedTo, jobs, nextDueAt: null }
  let nextDueAt: Instant | null = null
  for (const { dueFrom = 0, except, lane, only } of lanes) {
    // Due jobs of excluded subjects wait for capacity here; those outside `only` are another process's, so neither
    // counts as the next due job.
    const waiting = table.lane(lane)
    const next = waiting[firstDueFrom(waiting, except.length === 0 && only === undefined ? dueFrom : now + 1)]
    if (next === undefined || dueAtOf(next) > nextDueUntil) continue
    nextDueAt = Math.min(nextDueAt ?? Number.MAX_SAFE_INTEGER, dueAtOf(next))
  }
  return { clearedTo, jobs, nextDueAt }
}

const oldestFirst = (one: Job, other: Job) => one.runAt - other.runAt || (one.id < other.id ? -1 : 1)

/** The request with bounds of due times: nothing of the lane but the subjects that are asked for. */
const bounded = ({ behind = [], only, ...request }: ClaimRequest) =>
  only === undefined
    ? { ...request, behind }
    : { ...request, dueFrom: Number.MAX_SAFE_INTEGER, behind: only.map((subject) => ({ subject, dueFrom: 0 })) }

/** The jobs of one lane to lease, and the due time to which the claim clears it. */
const choose = (table: MemoryTable, request: ClaimRequest, now: Instant) => {
  const { behind, dueFrom, except, limit, perSubject } = bounded(request)
  const jobs = table.lane(request.lane)
  const others = new Set(except)
  for (const { subject } of behind) others.add(subject)
  const bySubject = dueFrom === undefined && except.length > 0
  const heads: Array<Job> = []
  const maxHeads = bySubject ? Number.MAX_SAFE_INTEGER : 2 * limit
  for (let i = firstDueFrom(jobs, dueFrom ?? 0); i < jobs.length && heads.length < maxHeads; i++) {
    const job = jobs[i] as Job
    if (dueAtOf(job) > now) break
    if (!others.has(job.subject)) heads.push(job)
  }
  const candidates = [...heads]
  for (const { dueFrom, subject } of behind) {
    let found = 0
    for (let i = firstDueFrom(jobs, dueFrom); i < jobs.length && found < perSubject; i++) {
      const job = jobs[i] as Job
      if (dueAtOf(job) > now) break
      if (job.subject !== subject) continue
      candidates.push(job)
      found++
    }
  }
  if (behind.length > 0) candidates.sort(compareDue)

  const ofSubject = new Map<string, number>()
  /** The oldest job of each subject, then the second of each. */
  const turns: Array<Array<Job>> = []
  for (const job of candidates) {
    const turn = ofSubject.get(job.subject) ?? 0
    if (turn === perSubject) continue
    ofSubject.set(job.subject, turn + 1)
    turns[turn] ??= []
    turns[turn].push(job)
  }
  const claimed = turns.flat().slice(0, limit)
  const taken = new Set(claimed)
  const left = heads.find((job) => !taken.has(job))
  const last = heads.length >= maxHeads ? heads.at(-1) : undefined
  const cleared = bySubject
    ? 0
    : Math.min(now, left === undefined ? now : dueAtOf(left), last === undefined ? now : dueAtOf(last))
  return { jobs: claimed, cleared }
}
