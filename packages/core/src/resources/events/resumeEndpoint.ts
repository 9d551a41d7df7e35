import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { housekeepingJob } from "../../model/Job.js"
import { type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

/**
 * The job that resumes the waiting deliveries of an endpoint. They continue if the endpoint may receive webhooks again
 * (docs/reference/webhooks.md#enabling-an-endpoint), and fail if it was deleted.
 */
export const resumeEndpoint = (endpoint: Endpoint, now: Instant, ids: Ids): RowOf<"jobs"> =>
  row("jobs", housekeepingJob(ids.next(now), endpoint, { task: "resume_endpoint" }, now))
