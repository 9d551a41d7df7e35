import type { ClaimJobs } from "@parley/core"

type Wish = ClaimJobs["lanes"][number]

interface Part {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The head of a lane: a subject that fills it is at its cap afterwards, and is excepted next time. */
const ofHead = ({ lane, limit, perSubject }: Wish, now: number): Part => ({
  text: `SELECT id FROM (
  SELECT id, due_at, row_number() OVER (PARTITION BY subject ORDER BY due_at, id) AS turn
  FROM (SELECT id, subject, due_at FROM jobs WHERE lane = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?)
) WHERE turn <= ? ORDER BY due_at, id LIMIT ?`,
  parameters: [lane, now, 2 * limit, perSubject, limit]
})

/** From subject to subject: a walk along the lane would pass all jobs of those that are excepted. */
const bySubject = ({ except, lane, limit, perSubject }: Wish, now: number): Part => ({
  text: `WITH RECURSIVE subjects AS (
  SELECT min(subject) AS subject FROM jobs WHERE lane = ?
  UNION ALL
  SELECT (SELECT min(t.subject) FROM jobs AS t WHERE t.lane = ? AND t.subject > s.subject)
  FROM subjects AS s WHERE s.subject IS NOT NULL
)
SELECT t.id FROM subjects AS s CROSS JOIN jobs AS t ON t.id IN (
  SELECT h.id FROM jobs AS h WHERE h.lane = ? AND h.subject = s.subject AND h.due_at <= ? ORDER BY h.due_at, h.id LIMIT ?
)
WHERE s.subject NOT IN (SELECT value FROM json_each(?)) ORDER BY t.due_at, t.id LIMIT ?`,
  parameters: [lane, lane, lane, now, perSubject, JSON.stringify(except), limit]
})

/** A statement that leases due jobs of the lanes, oldest first, at most so many of one subject. */
export const claimJobs = (
  lanes: ReadonlyArray<Wish>,
  { leaseUntil, now, owner }: { readonly leaseUntil: number; readonly now: number; readonly owner: string }
): Part => {
  const parts = lanes.map((wish) => (wish.except.length === 0 ? ofHead(wish, now) : bySubject(wish, now)))
  return {
    text: `UPDATE jobs SET lease_until = ?, lease_owner = ?, epoch = epoch + 1, attempts = attempts + 1
WHERE id IN (${parts.map(({ text }) => `SELECT id FROM (${text})`).join("\nUNION ALL ")})
RETURNING id, workspace_id AS "workspaceId", lane, subject, reference, payload, run_at AS "runAt",
  lease_until AS "leaseUntil", lease_owner AS "leaseOwner", epoch, attempts, created_at AS "createdAt"`,
    parameters: [leaseUntil, owner, ...parts.flatMap(({ parameters }) => parameters)]
  }
}
