import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { checkHistory } from "../src/histories/checkHistory.js"
import { firstSeedOfCommit } from "../src/histories/firstSeedOfCommit.js"
import { failedSeeds } from "../src/histories/ledger.js"
import { type Checked, checkPlan, checkSeed } from "../src/run/checkSeed.js"
import { modelDatabase } from "../src/run/modelDatabase.js"
import type { Plan } from "../src/run/Plan.js"
import type { OpenDatabase } from "../src/run/SimulatedDatabase.js"
import { sqliteDatabase } from "../src/run/sqliteDatabase.js"
import { storyOf } from "../src/run/storyOf.js"
import { goodMood } from "../src/run/Vendor.js"
import { failedPlans } from "./failedPlans.js"

/** Real time for histories of the commit's seeds, in ms. Off by default, so that single runs are short. */
const timeMs = Number(process.env.PARLEY_TEST_HISTORIES_SECONDS ?? 0) * 1_000
const minHistories = 5
const fixedSeeds = Array.from({ length: 20 }, (_, n) => n + 1)

const expectNoViolations = (checked: Checked) => {
  if (checked.violations.length > 0) expect.fail(`seed ${checked.plan.seed} breaks a promise:\n${storyOf(checked)}`)
}
const keepsPromises = (seed: number, open: OpenDatabase) => expectNoViolations(checkSeed(seed, open))

const aSend = {
  application: "application 1.1",
  channel: "telegram",
  to: "+491700000001",
  key: "key-1",
  text: "hello",
  reference: null
} as const

describe("simulated histories", () => {
  it.each(fixedSeeds)("keep all promises on the model, with seed %i", (seed) => keepsPromises(seed, modelDatabase))

  it.each(failedSeeds("model"))("keep all promises on the model, with seed %i, which failed once", (seed) =>
    keepsPromises(seed, modelDatabase)
  )
  it.each(failedSeeds("sqlite"))("keep all promises on SQLite in memory, with seed %i, which failed once", (seed) =>
    keepsPromises(seed, sqliteDatabase)
  )

  it.each(failedPlans)("keep all promises by a plan that failed: $found", ({ plan }) =>
    expectNoViolations(checkPlan(plan, modelDatabase))
  )

  it.skipIf(timeMs === 0)(
    "keep all promises on the model, with seeds of the commit (PARLEY_TEST_HISTORIES_SECONDS)",
    () => {
      const [first, begun] = [firstSeedOfCommit(), performance.now()]
      for (let n = 0; n < minHistories || performance.now() - begun < timeMs; n++) {
        keepsPromises(first + n, modelDatabase)
      }
    },
    600_000
  )

  it.each([1, 2, 3, 4, 5])("keep all promises on SQLite in memory, with seed %i", (seed) =>
    keepsPromises(seed, sqliteDatabase)
  )

  it.each([1, 2, 3])("are the same when they are run again, with seed %i", (seed) => {
    const [one, other] = [checkSeed(seed, modelDatabase), checkSeed(seed, modelDatabase)]
    expect(JSON.stringify(other.journal)).toBe(JSON.stringify(one.journal))
  })

  it("count what they did", () => {
    const { operations, violation } = checkHistory(1, modelDatabase, false)
    expect(violation).toBeNull()
    expect(operations).toBeGreaterThan(100)
    expect(checkHistory(1, modelDatabase, true).operations).toBe(2 * operations)
  })

  it("are compared with a second run", () => {
    let opened = 0
    const another: OpenDatabase = (clock) => modelDatabase(opened++ === 0 ? clock : () => clock() + 1_000)
    expect(checkHistory(1, another, true).violation?.promise).toBe("same-history")
  })

  it("stall a process in the call that a plan names, so that another one sends", () => {
    const plan: Plan = {
      seed: 1,
      processes: 2,
      quietAt: 60_000,
      restarts: false,
      steps: [
        { at: 0, disturbance: { type: "stall-at", call: "beginAttempt", ms: 20_000 } },
        { at: 10, action: { type: "send", ...aSend } }
      ]
    }
    const checked = checkPlan(plan, modelDatabase)
    expectNoViolations(checked)
    const faults = checked.journal.flatMap((entry) => (entry.kind === "fault" ? [entry.text] : []))
    const handOvers = checked.journal.flatMap((entry) => (entry.kind === "hand-over" ? [entry.process] : []))
    expect(faults[0]).toBe("host 1.1 stalls in beginAttempt for 20000 ms")
    expect(handOvers).toEqual(["host 2.2"])
  })

  it("end within minutes beside a job that no process starts", () => {
    const withoutClaims: OpenDatabase = (clock) =>
      Effect.map(modelDatabase(clock), (database) => ({
        ...database,
        connect: (disturb) => {
          const { storage, wakeup } = database.connect(disturb)
          return { storage: { ...storage, claimJobs: () => Effect.succeed({ jobs: [], nextDueAt: null }) }, wakeup }
        }
      }))
    const plan: Plan = {
      seed: 1,
      processes: 1,
      quietAt: 5_000,
      restarts: false,
      steps: [
        { at: 0, disturbance: { type: "vendor", mood: { ...goodMood, throttles: 1 } } },
        { at: 100, action: { type: "send", ...aSend } }
      ]
    }
    const { journal, violations } = checkPlan(plan, withoutClaims)
    expect(violations.map(({ promise }) => promise)).toContain("jobs-end")
    const [first, last] = [journal[0]?.at ?? 0, journal.at(-1)?.at ?? Number.POSITIVE_INFINITY]
    expect(last - first).toBeLessThan(20 * 60_000)
  })

  it("leave no fibers behind", () => {
    const roots = () => Effect.runSync(Fiber.roots).length
    const before = roots()
    checkSeed(1, modelDatabase)
    expect(roots()).toBe(before)
  })
})
