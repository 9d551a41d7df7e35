import type { Instant } from "../Instant.js"
import { type Job, newJob } from "../worker/Job.js"
import type { Connection } from "./Connection.js"

/**
 * A job of the lane `fetches`: something to be asked of a connection's provider. `reference` is what it is about; the
 * payload has the `task`, which says who knows what to do, and what that one needs.
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
