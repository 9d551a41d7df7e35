import { type Checked, checkSeed } from "../run/checkSeed.js"
import type { OpenDatabase } from "../run/SimulatedDatabase.js"

/** What is known of a history after its end. */
export interface HistoryResult {
  readonly seed: number
  /** Its first violation, or null. */
  readonly violation: { readonly promise: string; readonly text: string } | null
  readonly operations: number
  /** Whether it has at least 50 operations, 10 faults and 2 engines. */
  readonly isFull: boolean
  /** CPU time of the history and its audit, in s. */
  readonly cpuSeconds: number
}

type Result = Omit<HistoryResult, "seed" | "cpuSeconds">

/** Runs and audits the history of a seed. `twice`: it must have the same journal when it is run again. */
export const checkHistory = (seed: number, open: OpenDatabase, twice: boolean): HistoryResult => {
  const begun = process.cpuUsage()
  const result = check(seed, open, twice)
  const { system, user } = process.cpuUsage(begun)
  return { seed, ...result, cpuSeconds: (user + system) / 1e6 }
}

const isFull = ({ engines, faults, operations }: Checked): boolean => operations >= 50 && faults >= 10 && engines >= 2

const check = (seed: number, open: OpenDatabase, twice: boolean): Result => {
  try {
    const checked = checkSeed(seed, open)
    const { journal, operations, violations } = checked
    const first: Result = { violation: violations[0] ?? null, operations, isFull: isFull(checked) }
    if (!twice) return first
    const again = checkSeed(seed, open)
    const isSame = JSON.stringify(again.journal) === JSON.stringify(journal)
    const differs = { promise: "same-history", text: "a second run of the seed has another journal" }
    return { ...first, operations: operations + again.operations, violation: isSame ? first.violation : differs }
  } catch (error) {
    return { operations: 0, isFull: false, violation: { promise: "history-runs", text: textOf(error) } }
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : String(error.cause)}` : String(error)
