import { lruCache } from "../kernel/lruCache.js"
import { type Instant, minute, second } from "../model/Instant.js"
import type { Job } from "../model/Job.js"

/** Duration of a job's own work, in ms, from which it is slow. */
const slowMs = 2 * second

/** How long a subject counts as slow after a slow job, in ms, unless a quick one ends before. */
const rememberedMs = 5 * minute

/** Maximum number of subjects remembered in one process: a claim may have to exclude them all. */
const maxSubjects = 1_000

/** A running job. Its own work begins after the load by its handler, and ends before the commit of its result. */
export interface RunningJob {
  readonly job: Job
  /** When its work began, in ms; null while its handler loads what it needs. */
  startedAt: Instant | null
  /** When its work ended and its settle was sent, in ms; null before. */
  workedUntil: Instant | null
}

/** Remembers which subjects were slow lately, such as endpoints that hang (docs/reference/queue.md#slow-subjects). */
export interface SlowSubjects {
  /** Records the end of a job. */
  readonly ended: (running: RunningJob, now: Instant) => void
  /** Whether the subject of the job was slow lately, or the job is slow now. */
  readonly isSlow: (running: RunningJob, now: Instant) => boolean
  /** Whether the subject was slow lately. */
  readonly isRemembered: (subject: string, now: Instant) => boolean
  /** The subjects that were slow lately. */
  readonly remembered: (now: Instant) => ReadonlyArray<string>
}

export const makeSlowSubjects = (): SlowSubjects => {
  const slowUntil = lruCache<Instant>(maxSubjects)
  const isSlowJob = ({ startedAt, workedUntil }: RunningJob, now: Instant): boolean =>
    startedAt !== null && (workedUntil ?? now) - startedAt >= slowMs
  const isRemembered = (subject: string, now: Instant) => (slowUntil.get(subject) ?? 0) > now
  return {
    isRemembered,
    ended: (running, now) => {
      if (isSlowJob(running, now)) slowUntil.set(running.job.subject, now + rememberedMs)
      else slowUntil.delete(running.job.subject)
    },
    isSlow: (running, now) => isSlowJob(running, now) || isRemembered(running.job.subject, now),
    remembered: (now) => [...slowUntil].flatMap(([subject, until]) => (until > now ? [subject] : []))
  }
}
