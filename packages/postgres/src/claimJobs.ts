/**
 * Leases due jobs of all lanes, oldest first, at most so many of one subject. Parameters: now, owner, lease end, lanes, and
 * how many of each lane to look at. It looks at the head of each lane only: a subject that fills the head is at its cap afterwards, and is excepted next time.
 */
export const claimJobs = `WITH wished AS MATERIALIZED (
  SELECT * FROM json_to_recordset($4::json) AS l(lane text, "limit" int, "perSubject" int, "except" text[])
), ranked AS (
  SELECT j.id, l.lane, j.due_at, l."limit", l."perSubject",
    row_number() OVER (PARTITION BY l.lane, j.subject ORDER BY j.due_at, j.id) AS turn
  FROM wished AS l CROSS JOIN LATERAL (
    SELECT t.id, t.subject, t.due_at FROM jobs AS t
    WHERE t.lane = l.lane AND t.due_at <= $1 AND t.subject <> ALL (l."except")
    ORDER BY t.due_at, t.id LIMIT $5
  ) AS j
), placed AS (
  SELECT id, "limit", row_number() OVER (PARTITION BY lane ORDER BY due_at, id) AS place
  FROM ranked WHERE turn <= "perSubject"
), free AS MATERIALIZED (
  SELECT f.id FROM placed AS p CROSS JOIN LATERAL (
    SELECT t.id FROM jobs AS t WHERE t.id = p.id AND t.due_at <= $1 FOR NO KEY UPDATE OF t SKIP LOCKED
  ) AS f
  WHERE p.place <= p."limit"
)
UPDATE jobs AS t SET lease_until = $3, lease_owner = $2, epoch = t.epoch + 1, attempts = t.attempts + 1
WHERE t.id = ANY (ARRAY(SELECT id FROM free))
RETURNING t.id, t.workspace_id AS "workspaceId", t.lane, t.subject, t.reference, t.payload, t.run_at AS "runAt",
  t.lease_until AS "leaseUntil", t.lease_owner AS "leaseOwner", t.epoch, t.attempts, t.created_at AS "createdAt"`
