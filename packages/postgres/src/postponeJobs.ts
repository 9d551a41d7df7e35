/**
 * Postpones the first unleased jobs of a subject whose readiness time has moved later. Only jobs with this time in the
 * payload are postponed, or with a null offset only untried jobs without it. Parameters: lane, subject, name of the
 * time in the payload, offset to add to that time in ms, earliest time to run, upper bound of `due_at`, limit.
 */
export const postponeJobs = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)
), early AS MATERIALIZED (
  SELECT t.id, greatest((t.payload ->> $3)::bigint + $4, $5) AS turn FROM jobs AS t
  WHERE t.lane = $1 AND t.subject COLLATE "C" = $2 AND t.due_at < $6 AND t.lease_until = 0
    AND CASE WHEN $4::bigint IS NULL THEN t.payload ->> $3 IS NULL AND t.attempts = 0 ELSE t.payload ->> $3 IS NOT NULL END
    AND greatest((t.payload ->> $3)::bigint + $4, $5) > t.run_at
  ORDER BY t.due_at, t.id LIMIT $7 FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE jobs AS t SET run_at = e.turn FROM relaxed CROSS JOIN early AS e WHERE t.id = e.id`
