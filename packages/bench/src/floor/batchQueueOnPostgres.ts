import Pg from "pg"
import { type BatchQueue, type LeasedDelivery, leaseMs, unexpected } from "./BatchQueue.js"

const leaseText = `WITH leased AS (
    UPDATE jobs SET lease_until = $2, lease_owner = 'by hand', epoch = epoch + 1, attempts = attempts + 1
    WHERE id = ANY (ARRAY(
      SELECT id FROM jobs WHERE lane = 'deliveries' AND due_at <= $1 ORDER BY due_at, id LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id, epoch)
  SELECT leased.id, leased.epoch::float8 AS epoch, d.version::float8 AS version, d.workspace_id AS "workspaceId", d.endpoint_id AS "endpointId",
    n.url, e.id AS "eventId", e.type, e.created_at::float8 AS "createdAt", e.external_reference AS "externalReference", e.data
  FROM leased JOIN deliveries AS d ON d.id = leased.id JOIN events AS e ON e.id = d.event_id
  JOIN endpoints AS n ON n.id = d.endpoint_id JOIN applications AS a ON a.id = d.application_id
  WHERE d.status = 'pending' AND n.status = 'active' AND a.status = 'active'`

const finishText = `WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS given (
      id uuid, epoch bigint, version bigint, workspace uuid, endpoint uuid, attempt uuid, status bigint, started bigint,
      ended bigint)),
  delivered AS (
    UPDATE deliveries AS d
    SET status = 'delivered', attempts = 1, round = 1, completed_at = given.ended, version = d.version + 1
    FROM given WHERE d.id = given.id AND d.version = given.version RETURNING d.id),
  ended AS (DELETE FROM jobs AS j USING given WHERE j.id = given.id AND j.epoch = given.epoch RETURNING j.id),
  stored AS (
    INSERT INTO attempts (id, workspace_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, answer)
    SELECT attempt, workspace, id, endpoint, 1, started, ended - started, status, '' FROM given RETURNING id)
  SELECT (SELECT count(*) FROM delivered) = $2 AND (SELECT count(*) FROM ended) = $2
    AND (SELECT count(*) FROM stored) = $2
    AND NOT EXISTS (SELECT FROM given JOIN endpoints AS n ON n.id = given.endpoint WHERE n.consecutive_failures <> 0)
    AS "isExpected"`

/** A connection for leases and one for attempts, with one prepared statement each. */
export const batchQueueOnPostgres = async (url: string): Promise<BatchQueue> => {
  const [leasing, finishing] = [new Pg.Client(url), new Pg.Client(url)]
  await Promise.all([leasing.connect(), finishing.connect()])
  return {
    lease: async (limit) => {
      const now = Date.now()
      const { rows } = await leasing.query<LeasedDelivery>({
        name: "lease",
        text: leaseText,
        values: [now, now + leaseMs, limit]
      })
      return rows
    },
    finish: async (attempted) => {
      const given = attempted.map(({ attemptId, delivery, endedAt, startedAt, status }) => ({
        id: delivery.id,
        epoch: delivery.epoch,
        version: delivery.version,
        workspace: delivery.workspaceId,
        endpoint: delivery.endpointId,
        attempt: attemptId,
        status,
        started: startedAt,
        ended: endedAt
      }))
      const { rows } = await finishing.query<{ readonly isExpected: boolean }>({
        name: "finish",
        text: finishText,
        values: [JSON.stringify(given), given.length]
      })
      if (rows[0]?.isExpected !== true) throw unexpected()
    }
  }
}
