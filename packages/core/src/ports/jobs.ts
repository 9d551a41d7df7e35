import type { Instant } from "../model/Instant.js"
import type { Job, Lane } from "../model/Job.js"

/** Request for `Storage.claimJobs`: up to `limit` due jobs of each lane. */
export interface ClaimJobs {
  readonly now: Instant
  readonly owner: string
  readonly leaseMs: number
  /** Up to which due time (ms) to look for the next job; null: not at all. Default: no bound. */
  readonly nextDueUntil?: Instant | null
  readonly lanes: ReadonlyArray<{
    readonly lane: Lane
    readonly limit: number
    /** Maximum number of jobs of one subject in this claim. */
    readonly perSubject: number
    /** Subjects at their limit, which are excluded. */
    readonly except: ReadonlyArray<string>
    /**
     * The only subjects whose jobs are claimed; then `except` is empty, and there are no bounds. Default: all subjects.
     */
    readonly only?: ReadonlyArray<string>
    /** Lower bound of due times (ms); an adapter may ignore it. Default: none. */
    readonly dueFrom?: Instant
    /** Subjects with a lower bound (ms) of their own. */
    readonly behind?: ReadonlyArray<{ readonly subject: string; readonly dueFrom: Instant }>
  }>
}

/** Result of `Storage.claimJobs`. */
export interface ClaimedJobs {
  /** As leased, in order of `runAt`, then id, whatever turns the subjects took. */
  readonly jobs: ReadonlyArray<Job>
  /**
   * The next due time (ms) in these lanes, not after `now` if due jobs are left: of subjects at their limit, or locked
   * by another transaction. Due jobs of subjects outside `only` are not left for this process; their later ones may
   * count. Null if none was found until `nextDueUntil`, or if the claim reached the limit of a lane.
   */
  readonly nextDueAt: Instant | null
  /**
   * By lane, the time (ms) below which the claim left no due job from `dueFrom` on, except of the subjects `except` and
   * `behind`. Absent from adapters that ignore bounds.
   */
  readonly clearedTo?: ReadonlyMap<Lane, Instant>
}

/**
 * Upper bound of job counts in {@link QueueDepth}. A count equal to it means this many or more; it bounds the cost of
 * counting.
 */
export const maxCounted = 20_000

/**
 * Request for `Storage.postponeJobs`: moves the waiting jobs of one subject to the times in their payloads, which
 * are in virtual time, or its untried jobs without such a time to one time (docs/reference/queue.md#postponed-jobs).
 */
export interface PostponeJobs {
  readonly lane: Lane
  readonly subject: string
  /** Payload field with the job's time in virtual time (ms). */
  readonly field: string
  /**
   * Lag of virtual time behind the clock, in ms; not the `behind` of claims. Jobs without the field are not changed.
   * Null: only jobs without the field and without an attempt are changed, and their time is `notBefore`.
   */
  readonly behind: number | null
  /** Lower bound of the new due times, in ms. */
  readonly notBefore: Instant
  /** Only jobs whose present due time is before this time (ms). */
  readonly dueBefore: Instant
  /** Maximum number of jobs, in due order. */
  readonly limit: number
}

/** Number of jobs of a lane by state, each at most {@link maxCounted}. */
export interface QueueDepth {
  readonly lane: Lane
  /** Claimable now. */
  readonly due: number
  /** Leased to a process. */
  readonly leased: number
  /** Unleased with a future `runAt`, such as a retry. */
  readonly waiting: number
  /** Due time (ms) of the oldest due job; null if none is due. */
  readonly oldestDueAt: Instant | null
}

/**
 * Maximum number of rows of each kind that `Storage.workByApplication` reads, so that it does not block SQLite.
 */
export const maxScanned = 2_000

/** Counts of work. */
export interface Work {
  /** Messages that wait in the queue, also while their files are fetched. */
  readonly queued: number
  /** Messages that a process hands over now. */
  readonly sending: number
  /** Webhook deliveries that wait or run. Those of disabled endpoints have no job. */
  readonly deliveries: number
  readonly parked: number
  /** Failed messages among the newest {@link maxScanned} messages of all applications. */
  readonly failed: number
  /** Endpoints that are `disabled`, and active ones with `failuresThatDisable` failures in a row. */
  readonly disabledEndpoints: number
  /** Creation time (ms) of the oldest job in `queued` and `sending`; null without one. */
  readonly oldestQueuedAt: Instant | null
}

/** The work of one application; null: of none, such as replies of agents. */
export interface ApplicationWork extends Work {
  readonly applicationId: string | null
}

/** A leased job and the epoch of its claim. */
export interface Lease {
  readonly jobId: string
  readonly epoch: number
}

/** The attempt of a leased job. */
export interface BegunAttempt extends Lease {
  /** The lease's owner. */
  readonly owner: string
  /** Its number, 1-based; a lower number takes it back. */
  readonly attempt: number
}
