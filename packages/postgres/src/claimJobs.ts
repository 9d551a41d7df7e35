/**
 * Leases due jobs of all lanes, oldest first, up to the limit of each subject. Parameters: now, owner, lease end and
 * lanes.
 *
 * For a lane without excluded subjects it reads the head: a subject that fills the head reaches its limit and is
 * excluded from the next claim. For a lane with excluded subjects it reads subject by subject, because a scan of the
 * lane would read all jobs of the excluded ones.
 */
export const claimJobs = `WITH RECURSIVE wished AS MATERIALIZED (
  SELECT * FROM json_to_recordset($4::json) AS l(lane text, "limit" int, "perSubject" int, "except" text[], "dueFrom" bigint)
), subjects AS (
  SELECT l.*, (SELECT t.subject FROM jobs AS t WHERE t.lane = l.lane ORDER BY t.subject COLLATE "C" LIMIT 1) AS subject
  FROM wished AS l WHERE cardinality(l."except") > 0
  UNION ALL
  SELECT s.lane, s."limit", s."perSubject", s."except", s."dueFrom", (
    SELECT t.subject FROM jobs AS t WHERE t.lane = s.lane AND t.subject COLLATE "C" > s.subject
    ORDER BY t.subject COLLATE "C" LIMIT 1
  ) FROM subjects AS s WHERE s.subject IS NOT NULL
), heads AS (
  SELECT j.*, l.lane, l."limit", l."perSubject" FROM wished AS l CROSS JOIN LATERAL (
    SELECT t.id, t.subject, t.due_at FROM jobs AS t
    WHERE t.lane = l.lane AND t.due_at >= coalesce(l."dueFrom", 0) AND t.due_at <= $1
    ORDER BY t.due_at, t.id LIMIT 2 * l."limit"
  ) AS j WHERE cardinality(l."except") = 0
  UNION ALL
  SELECT j.*, s.lane, s."limit", s."perSubject" FROM subjects AS s CROSS JOIN LATERAL (
    SELECT t.id, t.subject, t.due_at FROM jobs AS t
    WHERE t.lane = s.lane AND t.subject COLLATE "C" = s.subject
      AND t.due_at >= coalesce(s."dueFrom", 0) AND t.due_at <= $1
    ORDER BY t.due_at, t.id LIMIT s."perSubject"
  ) AS j WHERE s.subject <> ALL (s."except")
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY lane, subject ORDER BY due_at, id) AS turn FROM heads
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
  t.lease_until AS "leaseUntil", t.lease_owner AS "leaseOwner", t.epoch, t.attempts, t.failure, t.created_at AS "createdAt"`
