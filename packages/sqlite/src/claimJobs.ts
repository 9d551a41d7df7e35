/**
 * Leases due jobs of all lanes, oldest first, at most so many of one subject. Parameters: lease end, owner, lanes, now, and
 * how many of each lane to look at. It looks at the head of each lane only: a subject that fills the head is at its cap afterwards, and is excepted next time.
 */
export const claimJobs = `UPDATE jobs SET lease_until = ?, lease_owner = ?, epoch = epoch + 1, attempts = attempts + 1
WHERE id IN (
  SELECT id FROM (
    SELECT id, "limit", row_number() OVER (PARTITION BY lane ORDER BY due_at, id) AS place
    FROM (
      SELECT t.id, t.lane, t.due_at, l."limit", l."perSubject",
        row_number() OVER (PARTITION BY t.lane, t.subject ORDER BY t.due_at, t.id) AS turn
      FROM (
        SELECT value ->> 'lane' AS lane, value ->> 'limit' AS "limit", value ->> 'perSubject' AS "perSubject",
          value ->> 'except' AS "except"
        FROM json_each(?)
      ) AS l CROSS JOIN jobs AS t ON t.id IN (
        SELECT h.id FROM jobs AS h
        WHERE h.lane = l.lane AND h.due_at <= ? AND h.subject NOT IN (SELECT value FROM json_each(l."except"))
        ORDER BY h.due_at, h.id LIMIT ?
      )
    ) WHERE turn <= "perSubject"
  ) WHERE place <= "limit"
)
RETURNING id, workspace_id AS "workspaceId", lane, subject, reference, payload, run_at AS "runAt",
  lease_until AS "leaseUntil", lease_owner AS "leaseOwner", epoch, attempts, created_at AS "createdAt"`
