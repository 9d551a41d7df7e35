import type { Job } from "@parley/core"

/** One statement that inserts a job without a lease, for a transaction of the caller, and its parameters. */
export const enqueueStatement = ({ id, lane, payload, reference, runAt, subject, workspaceId }: Job) => ({
  text: `INSERT INTO jobs (id, workspace_id, lane, subject, reference, payload, run_at, lease_until, epoch, attempts, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?)`,
  values: [id, workspaceId, lane, subject, reference, JSON.stringify(payload), runAt, runAt, runAt]
})
