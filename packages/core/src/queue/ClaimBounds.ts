import { type Instant, second } from "../model/Instant.js"
import type { Job, Lane } from "../model/Job.js"
import type { ClaimJobs } from "../ports/Storage.js"

/**
 * How far below the bound of its lane a claim looks, in ms. A job has the due time of its host's clock, which may be
 * behind, and is visible only after its commit.
 */
const lookBackMs = 3 * second

/** Interval of claims without bounds, in ms. They find jobs that appeared further below. */
const sweepEveryMs = 5 * second

/** A claim without bounds is slow while an old snapshot is open: it takes at most 1/50 of the time. */
const sweepShare = 50

type LaneClaim = ClaimJobs["lanes"][number]

/** What a claim found. `nextDueAt`: null if it was not asked for. */
interface Found {
  readonly jobs: ReadonlyArray<Job>
  readonly nextDueAt: Instant | null
  readonly durationMs: number
}

/**
 * Lower bounds of due times for the claims of one worker, by lane (docs/reference/queue.md#low-watermark-on-due-time).
 * All jobs below were claimed. Without a bound, Postgres reads the index entries of all finished jobs that an open
 * snapshot keeps.
 */
export interface ClaimBounds {
  /** Adds the bounds to the requests of a claim at `now`. Every few seconds it adds none. */
  readonly bounded: (lanes: ReadonlyArray<LaneClaim>, now: Instant) => ReadonlyArray<LaneClaim>
  /** Raises the bounds after a claim with these bounded requests. */
  readonly raise: (lanes: ReadonlyArray<LaneClaim>, now: Instant, found: Found) => void
}

export const makeClaimBounds = (): ClaimBounds => {
  const cleared = new Map<Lane, Instant>()
  let latest = Number.NEGATIVE_INFINITY
  let nextSweepAt = Number.NEGATIVE_INFINITY
  let isSweep = true

  const raiseTo = (lane: Lane, bound: Instant) => cleared.set(lane, Math.max(cleared.get(lane) ?? 0, bound))

  return {
    bounded: (lanes, now) => {
      // A clock that was set back makes jobs due below all bounds.
      if (now < latest) cleared.clear()
      isSweep = now >= nextSweepAt || now < latest
      latest = now
      return isSweep
        ? lanes
        : lanes.map((request) => ({ ...request, dueFrom: Math.max(0, (cleared.get(request.lane) ?? 0) - lookBackMs) }))
    },
    raise: (lanes, now, { durationMs, jobs, nextDueAt }) => {
      if (isSweep) nextSweepAt = now + Math.max(sweepEveryMs, sweepShare * durationMs)
      for (const request of lanes) {
        // Jobs of the excluded subjects are left below.
        if (request.except.length > 0) continue
        const { lane } = request
        // Due jobs that another transaction has locked are left below, and are the next ones due.
        if (jobs.length === 0 && nextDueAt !== null && nextDueAt > now) raiseTo(lane, now)
        const claimed = jobs.filter((job) => job.lane === lane)
        if (claimed.length >= request.limit && !hasFullSubject(claimed, request)) {
          // Claimed in due order: the last one was due at this time or later.
          raiseTo(lane, Math.max(...claimed.map(({ runAt }) => runAt)))
        }
      }
    }
  }
}

/** Whether a subject reached its limit in the claim, so that further jobs of it are left below. */
const hasFullSubject = (claimed: ReadonlyArray<Job>, { perSubject }: LaneClaim): boolean => {
  const counts = new Map<string, number>()
  for (const { subject } of claimed) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  return Math.max(...counts.values()) >= perSubject
}
