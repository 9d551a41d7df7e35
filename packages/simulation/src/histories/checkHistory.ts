import { checkSeed } from "../run/checkSeed.js"
import type { OpenDatabase } from "../run/SimulatedDatabase.js"

/** What is known of a history after its end. */
export interface HistoryResult {
  readonly seed: number
  /** Its first violation, or null. */
  readonly violation: { readonly promise: string; readonly text: string } | null
  readonly operations: number
  /** CPU time of the history and its audit, in s. */
  readonly cpuSeconds: number
}

/** Runs and audits the history of a seed. `twice`: it must have the same journal when it is run again. */
export const checkHistory = (seed: number, open: OpenDatabase, twice: boolean): HistoryResult => {
  const begun = process.cpuUsage()
  const { operations, violation } = check(seed, open, twice)
  const { system, user } = process.cpuUsage(begun)
  return { seed, violation, operations, cpuSeconds: (user + system) / 1e6 }
}

const check = (seed: number, open: OpenDatabase, twice: boolean): Pick<HistoryResult, "violation" | "operations"> => {
  try {
    const { journal, operations, violations } = checkSeed(seed, open)
    const [first = null] = violations
    if (!twice) return { operations, violation: first }
    const again = checkSeed(seed, open)
    const isSame = JSON.stringify(again.journal) === JSON.stringify(journal)
    const differs = { promise: "same-history", text: "a second run of the seed has another journal" }
    return { operations: operations + again.operations, violation: isSame ? first : differs }
  } catch (error) {
    return { operations: 0, violation: { promise: "history-runs", text: textOf(error) } }
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : String(error.cause)}` : String(error)
