import { type Instant, second } from "../model/Instant.js"
import type { Lane } from "../model/Job.js"
import type { ClaimedJobs } from "../ports/Storage.js"
import type { ClaimedLane, LaneClaim } from "./claimedByLane.js"

/**
 * How far below a bound a claim looks, in ms. A job has the due time of its host's clock, which may be behind, and is
 * visible only after its commit.
 */
const lookBackMs = 3 * second

/** Interval of claims without bounds, in ms. They find jobs that appeared further below. */
const sweepEveryMs = 5 * second

/**
 * Claims without bounds are slow while an old snapshot is open. Their interval grows until they take at most 1/50 of
 * the time.
 */
const sweepShare = 50

/**
 * Maximum growth of the interval after a slow claim without bounds. A single one may be slow because the database or
 * this process stood still, which is when jobs appear far below their bounds.
 */
const maxSweepGrowth = 2

/** The times to which a claim cleared its lanes, and how long it took in ms. */
type Found = Pick<ClaimedJobs, "clearedTo"> & { readonly durationMs: number }

/** The bounds of one lane. */
interface LaneBounds {
  /** All jobs that were due below were claimed, except those of the subjects behind. */
  cleared: Instant
  /** The bounds of the subjects with jobs below `cleared`: they were excluded, or reached their limit in a claim. */
  readonly behind: Map<string, Instant>
  /** Whether the present claim leaves out subjects behind that have capacity. */
  leavesOut: boolean
  /** Duration in ms of the claims that read from the low end, since the last one without bounds. */
  lowEndMs: number
  /** Time of the last claim without bounds. */
  sweptAt: Instant
  /** Interval from that claim to the next one without bounds, in ms. */
  intervalMs: number
  /** Interval before that claim, in ms. */
  lastIntervalMs: number
}

/**
 * Lower bounds of due times for the claims of one worker, by lane and by subject
 * (docs/reference/queue.md#low-watermark-on-due-time). All jobs below were claimed. Without bounds, Postgres reads the
 * index entries of all finished jobs that an open snapshot keeps.
 */
export interface ClaimBounds {
  /** Adds the bounds to the requests of a claim at `now`. Every few seconds a lane gets none. */
  readonly bounded: (lanes: ReadonlyArray<LaneClaim>, now: Instant) => ReadonlyArray<LaneClaim>
  /**
   * Raises the bounds after a claim with bounded requests. Returns whether it left out subjects with capacity.
   */
  readonly raise: (lanes: ReadonlyArray<ClaimedLane>, now: Instant, found: Found) => boolean
}

const initialBounds = (): LaneBounds => ({
  cleared: 0,
  behind: new Map(),
  leavesOut: false,
  lowEndMs: 0,
  sweptAt: Number.NEGATIVE_INFINITY,
  intervalMs: sweepEveryMs,
  lastIntervalMs: sweepEveryMs
})

export const makeClaimBounds = (): ClaimBounds => {
  const bounds = new Map<Lane, LaneBounds>()
  let latest = Number.NEGATIVE_INFINITY

  const boundsOf = (lane: Lane): LaneBounds => {
    const known = bounds.get(lane) ?? initialBounds()
    bounds.set(lane, known)
    return known
  }

  return {
    bounded: (lanes, now) => {
      // A clock that was set back makes jobs due below all bounds.
      if (now < latest) bounds.clear()
      latest = now
      return lanes.map((request) => {
        if (request.only !== undefined) return request
        const state = boundsOf(request.lane)
        if (now >= state.sweptAt + state.intervalMs) return withoutBounds(request, state, now)
        for (const subject of request.except) if (!state.behind.has(subject)) state.behind.set(subject, state.cleared)
        return withBounds(request, state)
      })
    },
    raise: (lanes, now, { clearedTo, durationMs }) => {
      let leftOut = false
      for (const claimed of lanes) {
        const { isFull, request } = claimed
        if (request.only !== undefined) continue
        const state = boundsOf(request.lane)
        if (readsLowEnd(request, state)) {
          state.lowEndMs += durationMs
          const maxMs = Math.min(sweepShare * state.lowEndMs, maxSweepGrowth * state.lastIntervalMs)
          state.intervalMs = Math.max(sweepEveryMs, maxMs)
        }
        if (isWithoutBounds(request)) {
          const leavesJobsBelow = isFull && claimed.jobs.some(({ runAt }) => runAt < from(state.cleared))
          if (leavesJobsBelow) state.intervalMs = 0
        } else if (!isFull) removeCaughtUp(state.behind, request)
        setBehind(state.behind, claimed)
        state.cleared = Math.max(state.cleared, Math.min(clearedTo?.get(request.lane) ?? 0, now))
        if (state.leavesOut) leftOut = true
      }
      return leftOut
    }
  }
}

/** The lowest due time that a claim with a bound reads. */
const from = (bound: Instant): Instant => Math.max(0, bound - lookBackMs)

/** Whether a claim of a lane has no bounds. */
export const isWithoutBounds = ({ dueFrom, only }: LaneClaim): boolean => dueFrom === undefined && only === undefined

/** Whether a claim reads the lane from the low end, or a subject of a lane that has a bound. */
const readsLowEnd = (request: LaneClaim, { cleared }: LaneBounds): boolean =>
  isWithoutBounds(request) || (cleared > 0 && request.behind?.some(({ dueFrom }) => dueFrom === 0) === true)

/**
 * The request of a claim without bounds: it leaves out the subjects behind, whose old jobs could be all that it reads.
 * Those without capacity are read from the low end once they have some.
 */
const withoutBounds = (request: LaneClaim, state: LaneBounds, now: Instant): LaneClaim => {
  state.lowEndMs = 0
  state.sweptAt = now
  state.lastIntervalMs = Math.max(sweepEveryMs, state.intervalMs)
  for (const subject of request.except) state.behind.set(subject, 0)
  const except = [...new Set([...request.except, ...state.behind.keys()])]
  state.leavesOut = except.length > request.except.length
  return { ...request, except }
}

/**
 * The request with the bounds of its lane. It asks for at most `limit` subjects behind, those with the lowest bounds.
 */
const withBounds = (request: LaneClaim, state: LaneBounds): LaneClaim => {
  const except = new Set(request.except)
  const waiting = [...state.behind]
    .filter(([subject]) => !except.has(subject))
    .sort(([, one], [, other]) => one - other)
  const leftOut = waiting.splice(request.limit)
  state.leavesOut = leftOut.length > 0
  return {
    ...request,
    except: [...request.except, ...leftOut.map(([subject]) => subject)],
    dueFrom: from(state.cleared),
    behind: waiting.map(([subject, bound]) => ({ subject, dueFrom: from(bound) }))
  }
}

/** Removes the subjects that a claim with bounds looked up, when it claimed all of their due jobs. */
const removeCaughtUp = (behind: Map<string, Instant>, { except }: LaneClaim): void => {
  const excluded = new Set(except)
  for (const subject of behind.keys()) if (!excluded.has(subject)) behind.delete(subject)
}

/** Adds the subjects that reached their limit in a claim, and raises the bounds of those behind. */
const setBehind = (behind: Map<string, Instant>, { bySubject, fullSubjects }: ClaimedLane): void => {
  for (const [subject, jobs] of Object.entries(bySubject)) {
    // Jobs of a subject are claimed in due order: the last one was due at this time or later.
    if (fullSubjects.has(subject) || behind.has(subject)) {
      behind.set(subject, Math.max(...jobs.map(({ runAt }) => runAt)))
    }
  }
}
