/**
 * Leases due jobs of all lanes, oldest first, at most so many of one subject. Parameters: lanes, now, how many of each lane
 * and subject to look at, now and that number again, lease end, owner.
 *
 * Of a lane it looks at the head: a subject that fills it is at its cap afterwards, and is excepted next time. Where some are
 * excepted, it goes from subject to subject instead, because a walk along the lane would pass all of the excepted ones' jobs.
 */
export const claimJobs = `WITH RECURSIVE lanes AS MATERIALIZED (
  SELECT value ->> 'lane' AS lane, value ->> 'limit' AS "limit", value ->> 'perSubject' AS "perSubject",
    value ->> 'except' AS "except", value ->> 'except' <> '[]' AS "bySubject"
  FROM json_each(?)
), subjects AS (
  SELECT l.*, (SELECT min(t.subject) FROM jobs AS t WHERE t.lane = l.lane) AS subject
  FROM lanes AS l WHERE l."bySubject"
  UNION ALL
  SELECT s.lane, s."limit", s."perSubject", s."except", s."bySubject",
    (SELECT min(t.subject) FROM jobs AS t WHERE t.lane = s.lane AND t.subject > s.subject)
  FROM subjects AS s WHERE s.subject IS NOT NULL
), heads AS (
  SELECT t.id, t.lane, t.subject, t.due_at, l."limit", l."perSubject" FROM lanes AS l CROSS JOIN jobs AS t ON t.id IN (
    SELECT h.id FROM jobs AS h WHERE h.lane = l.lane AND h.due_at <= ? ORDER BY h.due_at, h.id LIMIT ?
  ) WHERE NOT l."bySubject"
  UNION ALL
  SELECT t.id, t.lane, t.subject, t.due_at, s."limit", s."perSubject" FROM subjects AS s CROSS JOIN jobs AS t ON t.id IN (
    SELECT h.id FROM jobs AS h WHERE h.lane = s.lane AND h.subject = s.subject AND h.due_at <= ?
    ORDER BY h.due_at, h.id LIMIT ?
  ) WHERE s.subject NOT IN (SELECT value FROM json_each(s."except"))
)
UPDATE jobs SET lease_until = ?, lease_owner = ?, epoch = epoch + 1, attempts = attempts + 1
WHERE id IN (
  SELECT id FROM (
    SELECT id, "limit", row_number() OVER (PARTITION BY lane ORDER BY due_at, id) AS place
    FROM (
      SELECT id, lane, due_at, "limit", "perSubject",
        row_number() OVER (PARTITION BY lane, subject ORDER BY due_at, id) AS turn
      FROM heads
    ) WHERE turn <= "perSubject"
  ) WHERE place <= "limit"
)
RETURNING id, workspace_id AS "workspaceId", lane, subject, reference, payload, run_at AS "runAt",
  lease_until AS "leaseUntil", lease_owner AS "leaseOwner", epoch, attempts, created_at AS "createdAt"`
