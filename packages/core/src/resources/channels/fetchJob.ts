import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, newJob } from "../../model/Job.js"

/**
 * A job of the lane `fetches`: a request to a connection's provider. `reference` is the id of its subject matter;
 * `task` in the payload selects the handler, which also reads the rest of the payload.
 */
export const fetchJob = (
  connection: Pick<Connection, "id" | "workspaceId">,
  job: {
    readonly id: string
    readonly task: string
    readonly reference: string
    readonly payload?: { readonly [key: string]: unknown }
    readonly runAt: Instant
  },
  now: Instant
): Job =>
  newJob({
    id: job.id,
    workspaceId: connection.workspaceId,
    lane: "fetches",
    subject: connection.id,
    reference: job.reference,
    payload: { task: job.task, ...job.payload },
    runAt: job.runAt,
    createdAt: now
  })
