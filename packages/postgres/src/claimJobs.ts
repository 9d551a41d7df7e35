import type { ClaimJobs } from "@parley/core"
import { attemptOfClaim } from "@parley/sql"

type ClaimRequest = ClaimJobs["lanes"][number]

/** The request with bounds of due times: nothing of the lane but the subjects that are asked for. */
export const bounded = ({ only, ...request }: ClaimRequest): ClaimRequest =>
  only === undefined
    ? request
    : { ...request, dueFrom: Number.MAX_SAFE_INTEGER, behind: only.map((subject) => ({ subject, dueFrom: 0 })) }

/**
 * SQL for the first jobs that meet a condition, by due time and then by id. The indexes end with the due time, so those
 * of the last due time are read again, by id. Thousands may be due at one time, such as the messages of a paused
 * connection (docs/reference/sends.md#connections-that-are-not-active). The planner takes the table for empty, and
 * would otherwise sort the whole lane. `id::text`: ordered by `id`, Postgres may read all jobs in the index of ids.
 */
const firstJobs = (condition: string, from: string, limit: string): string => `
    WITH first AS MATERIALIZED (
      SELECT t.id, t.subject, t.due_at FROM jobs AS t
      WHERE ${condition} AND t.due_at >= ${from} AND t.due_at <= $1 ORDER BY t.due_at LIMIT ${limit}
    ), last AS MATERIALIZED (SELECT max(due_at) AS due_at FROM first HAVING count(*) >= ${limit})
    SELECT * FROM first WHERE due_at IS DISTINCT FROM (SELECT due_at FROM last)
    UNION ALL (
      SELECT t.id, t.subject, t.due_at FROM jobs AS t
      WHERE ${condition} AND t.due_at = (SELECT due_at FROM last) ORDER BY t.id::text COLLATE "C" LIMIT ${limit}
    )`

/**
 * Leases due jobs of all lanes, the subjects in turn, up to the limit of each subject, and says up to which due time
 * each lane is cleared (`ClaimedJobs.clearedTo`). Parameters: now, owner, lease end and lanes. Returns the claimed
 * jobs, and at least one row for each lane; `id` is null in a row without a job.
 *
 * It scans the lane from `dueFrom`: a subject that fills the scan reaches its limit, and is excluded from the next
 * claim or read by its own bound. Jobs of subjects behind are found by an index look-up for each. A lane with excluded
 * subjects and without a bound is read subject by subject, because a scan would read all jobs of the excluded ones.
 *
 * `due_at + 0`: with `due_at` alone, Postgres may look for the id in the index of due times.
 */
export const claimJobs = `WITH RECURSIVE lanes AS MATERIALIZED (
  SELECT l.lane, l."limit", l."perSubject", l."except", l.behind, coalesce(l."dueFrom", 0) AS due_from,
    l."dueFrom" IS NULL AND cardinality(l."except") > 0 AS by_subject
  FROM json_to_recordset($4::json) AS l(lane text, "limit" int, "perSubject" int, "except" text[], "dueFrom" bigint, behind json)
), behind AS MATERIALIZED (
  SELECT l.lane, l."perSubject", b.subject, b."dueFrom" AS due_from
  FROM lanes AS l CROSS JOIN LATERAL json_to_recordset(coalesce(l.behind, '[]')) AS b(subject text, "dueFrom" bigint)
), others AS MATERIALIZED (
  SELECT lane, unnest("except") AS subject FROM lanes UNION ALL SELECT lane, subject FROM behind
), subjects AS (
  SELECT l.lane, l."perSubject", (SELECT t.subject FROM jobs AS t WHERE t.lane = l.lane ORDER BY t.subject COLLATE "C" LIMIT 1) AS subject
  FROM lanes AS l WHERE l.by_subject
  UNION ALL
  SELECT s.lane, s."perSubject", (
    SELECT t.subject FROM jobs AS t WHERE t.lane = s.lane AND t.subject COLLATE "C" > s.subject
    ORDER BY t.subject COLLATE "C" LIMIT 1
  ) FROM subjects AS s WHERE s.subject IS NOT NULL
), heads AS MATERIALIZED (
  SELECT l.lane, j.* FROM lanes AS l CROSS JOIN LATERAL (${firstJobs(
    "t.lane = l.lane AND (t.lane, t.subject) NOT IN (SELECT lane, subject FROM others)",
    "l.due_from",
    '2 * l."limit"'
  )}
  ) AS j WHERE NOT l.by_subject
), candidates AS (
  SELECT * FROM heads
  UNION ALL
  SELECT s.lane, j.* FROM (
    SELECT lane, "perSubject", subject, due_from FROM behind
    UNION ALL
    SELECT lane, "perSubject", subject, 0 FROM subjects
    WHERE subject IS NOT NULL AND (lane, subject) NOT IN (SELECT lane, subject FROM others)
  ) AS s CROSS JOIN LATERAL (${firstJobs('t.lane = s.lane AND t.subject COLLATE "C" = s.subject', "s.due_from", 's."perSubject"')}
  ) AS j
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY lane, subject ORDER BY due_at, id) AS turn FROM candidates
), placed AS (
  SELECT r.id, l."limit", row_number() OVER (PARTITION BY r.lane ORDER BY r.turn, r.due_at, r.id) AS place
  FROM ranked AS r JOIN lanes AS l ON l.lane = r.lane WHERE r.turn <= l."perSubject"
), free AS MATERIALIZED (
  SELECT f.id FROM placed AS p CROSS JOIN LATERAL (
    SELECT t.id FROM jobs AS t WHERE t.id = p.id AND t.due_at + 0 <= $1 FOR NO KEY UPDATE OF t SKIP LOCKED
  ) AS f
  WHERE p.place <= p."limit"
), claimed AS (
  UPDATE jobs AS t SET lease_until = $3, lease_owner = $2, epoch = t.epoch + 1, attempts = t.attempts + ${attemptOfClaim("t.lane")}
  WHERE t.id = ANY (ARRAY(SELECT id FROM free))
  RETURNING t.id, t.workspace_id, t.lane, t.subject, t.reference, t.payload, t.run_at, t.lease_until, t.lease_owner, t.epoch,
    t.attempts, t.failure, t.created_at
), cleared AS MATERIALIZED (
  SELECT l.lane, CASE WHEN l.by_subject THEN 0 ELSE least(
    $1,
    (SELECT min(h.due_at) FROM heads AS h WHERE h.lane = l.lane AND h.id NOT IN (SELECT id FROM free)),
    (SELECT max(h.due_at) FROM heads AS h WHERE h.lane = l.lane HAVING count(*) >= 2 * l."limit")
  ) END AS until FROM lanes AS l
)
SELECT l.lane, l.until AS "clearedTo", c.id, c.workspace_id AS "workspaceId", c.subject, c.reference, c.payload,
  c.run_at AS "runAt", c.lease_until AS "leaseUntil", c.lease_owner AS "leaseOwner", c.epoch, c.attempts, c.failure,
  c.created_at AS "createdAt"
FROM cleared AS l LEFT JOIN claimed AS c ON c.lane = l.lane`
