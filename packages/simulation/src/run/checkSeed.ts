import { audit } from "../audit/audit.js"
import type { Entry, Journal } from "../audit/Journal.js"
import type { Violation } from "../audit/Violation.js"
import { makeChance } from "./Chance.js"
import { type Plan, planOf } from "./Plan.js"
import { runHistory } from "./runHistory.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"
import type { Step } from "./Step.js"

/** A history that was run and audited. */
export interface Checked {
  readonly plan: Plan
  readonly journal: Journal
  /** What the history did: requests, calls of and to vendors, attempts at endpoints, and calls to the storage. */
  readonly operations: number
  /** The number of faults that happened. */
  readonly faults: number
  /** The number of engines over time. */
  readonly engines: number
  readonly violations: ReadonlyArray<Violation>
}

const operationKinds: ReadonlySet<Entry["kind"]> = new Set([
  "request",
  "hand-over",
  "vendor-event",
  "webhook",
  "handling"
])

/** Runs and audits a planned history. */
export const checkPlan = (plan: Plan, open: OpenDatabase): Checked => {
  const { engines, journal, storageCalls } = runHistory(plan, open)
  const operations = storageCalls + journal.filter(({ kind }) => operationKinds.has(kind)).length
  const faults = journal.filter((entry) => entry.kind === "fault" && entry.ends === undefined).length
  return { plan, journal, operations, faults, engines, violations: audit(journal) }
}

/** Plans, runs and audits the history of a seed. */
export const checkSeed = (seed: number, open: OpenDatabase): Checked => checkPlan(planOf(seed, makeChance(seed)), open)

/**
 * Leaves out steps of a failing history as long as one of its first violation's promise remains, first large parts,
 * then single steps. `onTry` is called before each history.
 */
export const shrink = (failing: Checked, open: OpenDatabase, onTry: () => void = () => {}): Checked => {
  const promise = failing.violations[0]?.promise
  let smallest = failing
  for (let size = Math.ceil(failing.plan.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.plan.steps.length; ) {
      const steps: ReadonlyArray<Step> = smallest.plan.steps.toSpliced(from, size)
      onTry()
      const tried = checkPlan({ ...smallest.plan, steps }, open)
      if (tried.violations.some((one) => one.promise === promise)) smallest = tried
      else from += size
    }
  }
  return smallest
}
