import type { PostponeJobs } from "@parley/core"

/** Puts off the first of a subject's jobs that wait for a time of its own and would come too early; with its parameters. */
export const postponeJobs = ({ behind, dueBefore, field, lane, limit, notBefore, subject }: PostponeJobs) => {
  // Null where the payload has no such time.
  const turn = "max(payload ->> ? + ?, ?)"
  const ofTurn = [field, behind, notBefore]
  return {
    text: `UPDATE jobs SET run_at = ${turn} WHERE id IN (
  SELECT id FROM jobs WHERE lane = ? AND subject = ? AND due_at < ? AND lease_until = 0 AND ${turn} > run_at
  ORDER BY due_at, id LIMIT ?
)`,
    parameters: [...ofTurn, lane, subject, dueBefore, ...ofTurn, limit]
  }
}
