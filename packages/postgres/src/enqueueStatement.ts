import type { Job } from "@parley/core"

/** A setting of the caller's transaction, with the tokens of {@link markTransaction}. It ends with the transaction. */
const setting = "'parley.enqueue'"

/** A statement that marks the caller's open transaction with a token, and its parameters. */
export const markTransaction = (token: string) => ({
  text: `SELECT pg_catalog.set_config(${setting}, pg_catalog.concat(pg_catalog.current_setting(${setting}, true), ' ', $1::pg_catalog.text), true)`,
  values: [token]
})

/** Is in the message of the error of a statement whose transaction is not the marked one. */
const endedBefore =
  "parley.enqueue: the transaction ended before the request was written, so nothing is sent. Await parley.enqueue before you commit or roll back"

/**
 * One statement that inserts a job without a lease, for a transaction of the caller, and its parameters. With a schema,
 * the caller's `search_path` does not matter. It returns no column: a role that may only insert has no right to read
 * one. It sends no notification: transactions that do commit one after another. With a token it fails outside of the
 * transaction that {@link markTransaction} marked with it: a cast of words to a number fails in all drivers alike.
 */
export const enqueueStatement = (
  { id, lane, payload, reference, runAt, subject, workspaceId }: Job,
  { schema, token = null }: { readonly schema?: string | undefined; readonly token?: string | null } = {}
) => {
  const marked = `CASE WHEN pg_catalog.strpos(pg_catalog.current_setting(${setting}, true), $8::pg_catalog.text) > 0 THEN '0' ELSE '${endedBefore}' END`
  return {
    text: `INSERT INTO ${schema === undefined ? "jobs" : `"${schema}".jobs`} (id, workspace_id, lane, subject, reference, payload, run_at, lease_until, epoch, attempts, created_at)
VALUES ($1::pg_catalog.uuid, $2::pg_catalog.uuid, $3::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.json, $7::pg_catalog.int8, ${token === null ? "0" : `(${marked})::pg_catalog.int8`}, $7::pg_catalog.int8, 0, $7::pg_catalog.int8)`,
    values: [
      id,
      workspaceId,
      lane,
      subject,
      reference,
      JSON.stringify(payload),
      runAt,
      ...(token === null ? [] : [token])
    ]
  }
}
