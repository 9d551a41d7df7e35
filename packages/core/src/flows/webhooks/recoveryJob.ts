import type { ActingIds } from "../../kernel/actor.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { type Instant, minute } from "../../model/Instant.js"
import { housekeepingJob, type Job } from "../../model/Job.js"
import { secondRun } from "./TaskResult.js"

const payload = (since: Instant) => ({ task: "recover_endpoint", since })

/** The job that recovers events of an endpoint since a time in ms. */
export const recoveryJob = (endpoint: Endpoint, since: Instant, now: Instant, ids: ActingIds): Job =>
  housekeepingJob(ids.next(now), endpoint, payload(since), now)

/**
 * The job that recovers, after a minute, what an endpoint receives from `now` on: commits that were decided before it
 * was made, enabled or given more event types have no delivery for it
 * (docs/reference/events.md#who-receives-an-event).
 */
export const catchUpJob = (endpoint: Endpoint, now: Instant, ids: ActingIds): Job =>
  housekeepingJob(ids.next(now), endpoint, secondRun(payload(now)), now, now + minute)

/** Whether the new event types of an endpoint include one that it did not receive. */
export const addsTypes = (present: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  !present.includes("*") && wanted.some((type) => !present.includes(type))
