import { Effect } from "effect"
import { leasesLost } from "../kernel/metrics/engineMetrics.js"
import type { Instant } from "../model/Instant.js"
import type { Job } from "../model/Job.js"
import type { CommitOutcome, Lease } from "../ports/Storage.js"
import { annotations } from "./Handlers.js"

/** Duration of a lease, in ms (docs/reference/queue.md#renewal). */
export const leaseMs = 15_000

/** The lease of a job as its claim returned it. */
export const leaseOf = ({ epoch, id }: Job): Lease => ({ jobId: id, epoch })
/** A job whose lease ended may run twice in a process, with an epoch for each run. */
export const keyOfLease = ({ epoch, jobId }: Lease): string => `${jobId} ${epoch}`

/**
 * Why a lease was lost (docs/reference/queue.md#lost-leases).
 *
 * - `stolen`: it ended while the job ran, and the job was claimed again.
 * - `stalled`: it ended while the job ran, and no claim came before this process renewed or settled it.
 * - `replaced`: a commit ended or reset the job before the lease ended, such as the stop of a run.
 */
export const leaseLosses = ["stolen", "stalled", "replaced"] as const
export type LeaseLoss = (typeof leaseLosses)[number]

const lossText: { readonly [L in LeaseLoss]: string } = {
  stolen: "a job was claimed again, because its lease ended while it ran",
  stalled: "a lease ended while its job ran, and was not claimed meanwhile: this process or the database was stalled",
  replaced: "a job was ended or reset by another change while it ran"
}
/** The warning of a loss; null without one. */
export const logLoss = (loss: LeaseLoss | null, job: Job): Effect.Effect<void> | null =>
  loss === null
    ? null
    : (loss === "replaced" ? Effect.logDebug(lossText[loss]) : Effect.logWarning(lossText[loss])).pipe(
        Effect.annotateLogs(annotations(job))
      )

/**
 * The lease of a running job, as this process knows it. Times are in ms by the database's clock. Each function returns
 * the loss that it counted; null without one, or if the lease was settled or counted before.
 */
export interface HeldLease {
  /** Records a renewal that was sent at `sentAt`. */
  readonly renewed: (sentAt: Instant, until: Instant) => LeaseLoss | null
  /**
   * Records a renewal that did not find the lease. Counts at the second one only, because the job may have been settled
   * during the first.
   */
  readonly missed: (now: Instant) => LeaseLoss | null
  /** Whether it has ended, and was neither settled nor counted as lost. */
  readonly hasEnded: (now: Instant) => boolean
  /** Records the outcome of a settle that was sent at `sentAt`. */
  readonly settled: (outcome: CommitOutcome["_tag"], sentAt: Instant, now: Instant) => LeaseLoss | null
}

export const makeHeldLease = (leaseUntil: Instant): HeldLease => {
  let until = leaseUntil
  let open = true
  let missing: LeaseLoss | null = null

  const lose = (loss: LeaseLoss | null): LeaseLoss | null => {
    if (!open || loss === null) return null
    open = false
    leasesLost(1, loss)
    return loss
  }
  /** Before its lease ends, only a commit can take a job (docs/reference/queue.md#invariants). */
  const taken = (now: Instant): LeaseLoss => (now < until ? "replaced" : "stolen")
  const late = (sentAt: Instant): LeaseLoss | null => (sentAt < until ? null : "stalled")

  return {
    renewed: (sentAt, next) => {
      const loss = lose(late(sentAt))
      until = next
      missing = null
      return loss
    },
    missed: (now) => {
      if (missing !== null) return lose(missing)
      missing = taken(now)
      return null
    },
    hasEnded: (now) => open && until <= now,
    settled: (outcome, sentAt, now) => {
      if (outcome === "Conflict") return null
      const loss = lose(outcome === "Fenced" ? (missing ?? taken(now)) : late(sentAt))
      open = false
      return loss
    }
  }
}
