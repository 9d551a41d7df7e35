import type { PostponeJobs } from "@parley/core"

/**
 * The statement, with its parameters, that postpones the first unleased jobs of a subject whose readiness time has
 * moved later.
 */
export const postponeJobs = ({ behind, dueBefore, field, lane, limit, notBefore, subject }: PostponeJobs) => {
  // Null if the payload does not have this time.
  const [turn, ofTurn] =
    behind === null ? ["?", [notBefore]] : ["max(payload ->> ? + ?, ?)", [field, behind, notBefore]]
  const [untried, ofUntried] = behind === null ? ["AND payload ->> ? IS NULL AND attempts = 0", [field]] : ["", []]
  return {
    text: `UPDATE jobs SET run_at = ${turn} WHERE id IN (
  SELECT id FROM jobs WHERE lane = ? AND subject = ? AND due_at < ? AND lease_until = 0 AND ${turn} > run_at ${untried}
  ORDER BY due_at, id LIMIT ?
)`,
    parameters: [...ofTurn, lane, subject, dueBefore, ...ofTurn, ...ofUntried, limit]
  }
}
