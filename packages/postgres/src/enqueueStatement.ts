import type { Job } from "@parley/core"
import { channel } from "./PostgresWakeup.js"

/**
 * One statement that inserts a job without a lease, for a transaction of the caller, and its parameters. Workers get a hint
 * when the transaction commits.
 */
export const enqueueStatement = ({ id, lane, payload, reference, runAt, subject, workspaceId }: Job) => ({
  text: `INSERT INTO jobs (id, workspace_id, lane, subject, reference, payload, run_at, lease_until, epoch, attempts, created_at)
VALUES ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::json, $7::bigint, 0, $7::bigint, 0, $7::bigint) RETURNING pg_notify('${channel}', 'enqueue ' || lane) IS NULL AS notified`,
  values: [id, workspaceId, lane, subject, reference, JSON.stringify(payload), runAt]
})
