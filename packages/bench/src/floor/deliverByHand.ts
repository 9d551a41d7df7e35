import type { InTransaction, Statements } from "./Query.js"

/** The fields of a delivery that its loop needs. */
export interface Claimed {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly type: string
  readonly data: string
  readonly url: string
}

/** Leases the oldest due delivery and reads its payload. `skipping` is the end of the locking clause. */
export const claimOne = (inTransaction: InTransaction, skipping: string): Promise<Claimed | null> =>
  inTransaction(
    (function* (): Statements<Claimed | null> {
      const now = Date.now()
      const [job] = yield {
        name: "claim",
        text: `UPDATE jobs SET lease_until = ?, epoch = epoch + 1, attempts = attempts + 1 WHERE id = (
          SELECT id FROM jobs WHERE lane = 'deliveries' AND due_at <= ? ORDER BY due_at, id LIMIT 1${skipping}
        ) RETURNING id`,
        values: [now + 15_000, now]
      }
      if (job === undefined) return null
      const [claimed] = yield {
        name: "read",
        text: `SELECT d.id, d.endpoint_id AS "endpointId", e.id AS "eventId", e.type, e.data, n.url
          FROM deliveries AS d JOIN events AS e ON e.id = d.event_id JOIN endpoints AS n ON n.id = d.endpoint_id
          WHERE d.id = ? AND d.status = 'pending'`,
        values: [job.id]
      }
      return claimed as Claimed
    })()
  )

/** Records the attempt and deletes the job. */
export const finishOne = (
  inTransaction: InTransaction,
  { endpointId, id }: Claimed,
  attempt: { readonly id: string; readonly workspaceId: string; readonly startedAt: number; readonly status: number }
): Promise<void> =>
  inTransaction(
    (function* (): Statements<void> {
      const now = Date.now()
      yield {
        name: "attempt",
        text: `INSERT INTO attempts (id, workspace_id, delivery_id, endpoint_id, number, started_at, duration_ms, status)
          VALUES (?, ?, ?, ?, 1, ?, ?, ?)`,
        values: [
          attempt.id,
          attempt.workspaceId,
          id,
          endpointId,
          attempt.startedAt,
          now - attempt.startedAt,
          attempt.status
        ]
      }
      yield {
        name: "delivered",
        text: "UPDATE deliveries SET status = 'delivered', attempts = 1, round = 1, completed_at = ?, version = version + 1 WHERE id = ?",
        values: [now, id]
      }
      yield { name: "done", text: "DELETE FROM jobs WHERE id = ?", values: [id] }
    })()
  )
