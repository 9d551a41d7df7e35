import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { newJob } from "../../model/Job.js"
import { type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

/**
 * The job that resumes the waiting deliveries of an endpoint. They continue if the endpoint may receive webhooks again
 * (docs/reference/webhooks.md#enabling-an-endpoint), and fail if it was deleted.
 */
export const resumeEndpoint = ({ id, workspaceId }: Endpoint, now: Instant, ids: Ids): RowOf<"jobs"> =>
  row(
    "jobs",
    newJob({
      id: ids.next(now),
      workspaceId,
      lane: "housekeeping",
      subject: id,
      reference: id,
      payload: { task: "resume_endpoint" },
      runAt: now,
      createdAt: now
    })
  )
