import type { History } from "./History.js"

/**
 * When the result of an attempt is recorded at the latest: its process may stall, or lack the storage, until a fault
 * ends.
 */
export const recordedBy = ({ faults }: History, attemptAt: number, resultAt: number): number =>
  Math.max(
    resultAt,
    ...faults.map(({ fault, until }) => (fault.at <= resultAt && until >= attemptAt ? until : resultAt))
  )
