import type { Instant } from "../Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { newJob } from "../worker/Job.js"
import type { Endpoint } from "./Endpoint.js"

/**
 * The job that takes up the waiting deliveries of an endpoint: they go on once it may be sent webhooks again
 * (decisions.md §12), and fail once it is deleted.
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
