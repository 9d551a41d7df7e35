import { describe, expect, it } from "@effect/vitest"
import { Storage, type TableName } from "@parley/core"
import { sharedDatabases } from "@parley/testkit/databases"
import { Context, Effect, FastCheck as fc, Layer } from "effect"
import { sameInSequence, sameInSomeOrder, sameNulls } from "./differential/Differential.js"
import { type Generate, tableNames } from "./differential/values.js"

/** The first seed is that of every run. The others once found a difference. */
const seeds = [20_261_122]

const check = (numRuns: number, history: (generate: Generate) => Effect.Effect<void>) =>
  Effect.promise(async () => {
    for (const seed of seeds) {
      const property = fc.asyncProperty(fc.gen(), (generate) => Effect.runPromise(history(generate)))
      // A counterexample would be the list of all generated values.
      const { errorInstance, failed, numRuns: run } = await fc.check(property, { seed, numRuns, endOnFailure: true })
      if (failed) throw new Error(`history ${run} of seed ${seed}`, { cause: errorInstance })
    }
  })

describe.each(sharedDatabases)("the model and %s", (name, open) => {
  const hosts = Effect.map(
    Effect.flatMap(open, (layers) => Effect.forEach(layers, Layer.build)),
    (opened) => opened.map((context) => Context.get(context, Storage)) as unknown as readonly [Storage, Storage]
  )

  it.scoped("refuse null in the same columns", () =>
    Effect.gen(function* () {
      const [one] = yield* hosts
      yield* sameNulls(one)
    })
  )

  it.scoped("answer the same to calls one by one", () =>
    Effect.gen(function* () {
      const [one] = yield* hosts
      const written = new Set<TableName>()
      // Only Postgres has bounds of due times.
      yield* check(40, (generate) => sameInSequence(one, generate, name === "postgres", written))
      expect(tableNames.filter((table) => !written.has(table))).toEqual([])
    })
  )

  it.scoped("answer the same to calls together in some order", () =>
    Effect.gen(function* () {
      const both = yield* hosts
      const written = new Set<TableName>()
      yield* check(25, (generate) => sameInSomeOrder(both, generate, written))
      expect(tableNames.filter((table) => !written.has(table))).toEqual([])
    })
  )
})
