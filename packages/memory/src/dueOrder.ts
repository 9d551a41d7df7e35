import { dueAtOf, type Job } from "@parley/core"

/** By due time, then id. */
export const compareDue = (one: Job, other: Job): number => {
  const difference = dueAtOf(one) - dueAtOf(other)
  return difference !== 0 ? difference : one.id < other.id ? -1 : one.id > other.id ? 1 : 0
}

/** The position of a job among sorted ones, or the position at which it belongs. */
export const positionOf = (jobs: ReadonlyArray<Job>, job: Job): number =>
  firstIndex(jobs, (other) => compareDue(other, job) >= 0)

/** The position of the first job that is due at this time (ms) or later. */
export const firstDueFrom = (jobs: ReadonlyArray<Job>, dueAt: number): number =>
  firstIndex(jobs, (job) => dueAtOf(job) >= dueAt)

/** The position of the first job for which the condition holds; it holds for all later ones. */
const firstIndex = (jobs: ReadonlyArray<Job>, holds: (job: Job) => boolean): number => {
  let [low, high] = [0, jobs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(jobs[middle] as Job)) high = middle
    else low = middle + 1
  }
  return low
}
