import { countsAtClaim, lanes } from "@parley/core"

const others = lanes.filter((lane) => !countsAtClaim(lane)).map((lane) => `'${lane}'`)

/** SQL for the number of attempts that the claim of a job counts. `lane`: SQL for the lane of the job. */
export const attemptOfClaim = (lane: string): string => `CASE WHEN ${lane} IN (${others.join(", ")}) THEN 0 ELSE 1 END`
