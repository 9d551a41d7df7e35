import { Array as Arrays } from "effect"
import type { Job } from "../model/Job.js"
import type { ClaimJobs } from "../ports/Storage.js"

/** The request of a claim for one lane. */
export type LaneClaim = ClaimJobs["lanes"][number]

/** What a claim took of one lane. */
export interface ClaimedLane {
  readonly request: LaneClaim
  readonly jobs: ReadonlyArray<Job>
  /** The jobs by subject, in due order. */
  readonly bySubject: { readonly [subject: string]: ReadonlyArray<Job> }
  /** Whether it took as many jobs as it could: more may be due. */
  readonly isFull: boolean
  /** The subjects of which it took as many jobs as it could. */
  readonly fullSubjects: ReadonlySet<string>
}

/** The jobs of a claim by lane, in the order of its requests. */
export const claimedByLane = (
  requests: ReadonlyArray<LaneClaim>,
  jobs: ReadonlyArray<Job>
): ReadonlyArray<ClaimedLane> =>
  requests.map((request) => {
    const ofLane = jobs.filter(({ lane }) => lane === request.lane)
    const bySubject = Arrays.groupBy(ofLane, ({ subject }) => subject)
    return {
      request,
      jobs: ofLane,
      bySubject,
      isFull: ofLane.length >= request.limit,
      fullSubjects: new Set(
        Object.entries(bySubject).flatMap(([subject, found]) => (found.length >= request.perSubject ? [subject] : []))
      )
    }
  })
