import { appendFileSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { git } from "./git.js"

/** A run of histories of one commit. Lines of `ledger.jsonl`. */
export interface LedgerLine {
  /** The commit whose engine, workload and auditor ran. */
  readonly commit: string
  readonly database: string
  readonly firstSeed: number
  readonly count: number
  /** Of these, the histories with at least 50 operations, 10 faults and 2 engines. */
  readonly full: number
  /** Whether each history was run a second time, and compared. */
  readonly twice: boolean
  /** The seeds of the histories that break a promise. */
  readonly failingSeeds: ReadonlyArray<number>
  readonly operations: number
  /** CPU time of all histories, in s. */
  readonly cpuSeconds: number
}

const file = fileURLToPath(new URL("../../ledger.jsonl", import.meta.url))

/** The commit of the working tree; null without git, or if a file but the ledger was changed. */
export const cleanCommit = (): string | null => {
  const changed = git("status", "--porcelain", "--", ":/", ":(exclude,top)packages/simulation/ledger.jsonl")
  return changed === "" ? git("rev-parse", "HEAD") : null
}

/** Appends a line to the ledger. */
export const addToLedger = (line: LedgerLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`)

/** The seeds of the ledger whose histories on a database broke a promise, by the workload of that time. */
export const failedSeeds = (database: string): ReadonlyArray<number> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LedgerLine)
    .flatMap((line) => (line.database === database ? line.failingSeeds : []))
