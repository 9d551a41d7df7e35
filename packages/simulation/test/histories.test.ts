import { describe, expect, it } from "vitest"
import { checkSeed } from "../src/run/checkSeed.js"
import { modelDatabase } from "../src/run/modelDatabase.js"
import { sqliteDatabase } from "../src/run/sqliteDatabase.js"
import { storyOf } from "../src/run/storyOf.js"

/** Seed 3 found that a rejection whose commit got no answer was answered 202, with its key free again. */
const seeds = Array.from({ length: 20 }, (_, n) => n + 1)

describe("simulated histories", () => {
  it.each(seeds)("keep all promises on the model, with seed %i", (seed) => {
    const checked = checkSeed(seed, modelDatabase)
    expect(checked.violations, storyOf(checked)).toEqual([])
  })

  it.each([1, 2, 3, 4, 5])("keep all promises on SQLite in memory, with seed %i", (seed) => {
    const checked = checkSeed(seed, sqliteDatabase)
    expect(checked.violations, storyOf(checked)).toEqual([])
  })

  it.each([1, 2, 3])("are the same when they are run again, with seed %i", (seed) => {
    const [one, other] = [checkSeed(seed, modelDatabase), checkSeed(seed, modelDatabase)]
    expect(JSON.stringify(other.journal)).toBe(JSON.stringify(one.journal))
  })
})
