import { AdminJobs, type Job, jobResource } from "@parley/core"
import { Clock, Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { JobsGroup } from "./JobsGroup.js"

const shown = (job: Job) => Effect.map(Clock.currentTimeMillis, (now) => ({ data: jobResource(job, now) }))

/** Implements the group `jobs` of the contract. */
export const jobsHandlers: Effect.Effect<GroupHandlers<typeof JobsGroup, Administrator>, never, AdminJobs> = Effect.map(
  AdminJobs,
  (jobs) => ({
    list: ({ query, url }) =>
      Effect.zipWith(jobs.list(query), Clock.currentTimeMillis, (page, now) =>
        pageOf(url, page, (job) => jobResource(job, now))
      ),
    get: ({ path }) => Effect.flatMap(jobs.get(path.id), shown),
    retry: ({ path }) => Effect.flatMap(jobs.retry(path.id), shown),
    drop: ({ path }) => Effect.flatMap(jobs.drop(path.id), shown)
  })
)
