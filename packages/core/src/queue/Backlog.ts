import type { Lane } from "../model/Job.js"
import { isWithoutBounds } from "./ClaimBounds.js"
import type { ClaimedLane, LaneClaim } from "./claimedByLane.js"

/**
 * The subjects with due jobs that this process has not claimed yet, as far as it knows. Their new jobs wait for a claim
 * too, so that no subject's older jobs wait while newer ones run (docs/reference/queue.md#jobs-leased-from-the-start).
 */
export interface Backlog {
  /** True for all subjects of a lane until a claim found fewer jobs than its limit. */
  readonly has: (lane: Lane, subject: string) => boolean
  /** Records that a due job of the subject was inserted without a lease. */
  readonly add: (lane: Lane, subject: string) => void
  /** Removes the subjects of which a claim took all due jobs. */
  readonly claimed: (lanes: ReadonlyArray<ClaimedLane>) => void
}

export const makeBacklog = (): Backlog => {
  /** Absent: nothing is known about the lane. */
  const subjects = new Map<Lane, Set<string>>()
  return {
    has: (lane, subject) => subjects.get(lane)?.has(subject) ?? true,
    add: (lane, subject) => void subjects.get(lane)?.add(subject),
    claimed: (lanes) => {
      for (const { fullSubjects, isFull, jobs, request } of lanes) {
        if (isFull) continue
        const known = subjects.get(request.lane)
        // Nothing is known yet, and a claim without bounds may have read the jobs of a single subject only.
        if (known === undefined && isWithoutBounds(request) && jobs.length > 0) continue
        subjects.set(request.lane, new Set([...leftOf(request, known), ...fullSubjects]))
      }
    }
  }
}

/**
 * The subjects of which a claim that was not full may have left jobs. `known`: the subjects so far, if any are known.
 */
const leftOf = (request: LaneClaim, known: ReadonlySet<string> | undefined): ReadonlyArray<string> => {
  const { except, only } = request
  if (only !== undefined) return [...(known ?? [])].filter((subject) => !only.includes(subject))
  if (known === undefined) return except
  return isWithoutBounds(request) ? [...known] : except.filter((subject) => known.has(subject))
}
