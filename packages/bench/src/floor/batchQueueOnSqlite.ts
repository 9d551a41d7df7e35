import Database from "better-sqlite3"
import { type BatchQueue, type LeasedDelivery, leaseMs, unexpected } from "./BatchQueue.js"

/**
 * One transaction for each batch, with statements that are prepared once. Durable as the engine's: WAL,
 * `synchronous=FULL`.
 */
export const batchQueueOnSqlite = (file: string): BatchQueue => {
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  const due = database.prepare(
    "SELECT id FROM jobs WHERE lane = 'deliveries' AND due_at <= ? ORDER BY due_at, id LIMIT (? + 0)"
  )
  const leaseJob = database.prepare(
    "UPDATE jobs SET lease_until = ?, lease_owner = 'by hand', epoch = epoch + 1, attempts = attempts + 1 WHERE id = ?"
  )
  const read = database.prepare(`SELECT d.id, j.epoch, d.version, d.workspace_id AS workspaceId,
      d.endpoint_id AS endpointId, n.url, e.id AS eventId, e.type, e.created_at AS createdAt,
      e.external_reference AS externalReference, e.data
    FROM jobs AS j JOIN deliveries AS d ON d.id = j.id JOIN events AS e ON e.id = d.event_id
    JOIN endpoints AS n ON n.id = d.endpoint_id JOIN applications AS a ON a.id = d.application_id
    WHERE j.id = ? AND d.status = 'pending' AND n.status = 'active' AND a.status = 'active'`)
  const deliver = database.prepare(`UPDATE deliveries
    SET status = 'delivered', attempts = 1, round = 1, completed_at = ?, version = version + 1
    WHERE id = ? AND version = ?`)
  const endJob = database.prepare("DELETE FROM jobs WHERE id = ? AND epoch = ?")
  const failures = database.prepare("SELECT 1 FROM endpoints WHERE id = ? AND consecutive_failures = 0")
  const store = database.prepare(`INSERT INTO attempts
    (id, workspace_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, answer)
    VALUES (?, ?, ?, ?, 1, ?, ?, ?, '')`)

  const lease = database.transaction((limit: number): ReadonlyArray<LeasedDelivery> => {
    const now = Date.now()
    const found = due.all(now, limit) as ReadonlyArray<{ readonly id: string }>
    return found.map(({ id }) => {
      leaseJob.run(now + leaseMs, id)
      return read.get(id) as LeasedDelivery
    })
  })
  const finish = database.transaction((attempted: Parameters<BatchQueue["finish"]>[0]) => {
    for (const { attemptId, delivery, endedAt, startedAt, status } of attempted) {
      const { endpointId, epoch, id, version, workspaceId } = delivery
      const isExpected =
        deliver.run(endedAt, id, version).changes === 1 &&
        endJob.run(id, epoch).changes === 1 &&
        failures.get(endpointId) !== undefined
      if (!isExpected) throw unexpected()
      store.run(attemptId, workspaceId, id, endpointId, startedAt, endedAt - startedAt, status)
    }
  })
  return {
    lease: async (limit) => lease.immediate(limit),
    finish: async (attempted) => finish.immediate(attempted)
  }
}
