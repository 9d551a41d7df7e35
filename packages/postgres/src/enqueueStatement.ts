import type { Job } from "@parley/core"
import { channelOf } from "./schemaNames.js"

/**
 * One statement that inserts a job without a lease, for a transaction of the caller, and its parameters. Workers get a
 * hint when the transaction commits. With a schema, the caller's `search_path` does not matter. It returns no column:
 * a role that may only insert has no right to read one.
 */
export const enqueueStatement = (
  { id, lane, payload, reference, runAt, subject, workspaceId }: Job,
  { schema }: { readonly schema?: string | undefined } = {}
) => ({
  text: `INSERT INTO ${schema === undefined ? "jobs" : `"${schema}".jobs`} (id, workspace_id, lane, subject, reference, payload, run_at, lease_until, epoch, attempts, created_at)
VALUES ($1::pg_catalog.uuid, $2::pg_catalog.uuid, $3::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.json, $7::pg_catalog.int8, 0, $7::pg_catalog.int8, 0, $7::pg_catalog.int8)
RETURNING pg_catalog.pg_notify('${channelOf(schema)}', 'enqueue ${lane}') IS NULL AS notified`,
  values: [id, workspaceId, lane, subject, reference, JSON.stringify(payload), runAt]
})
