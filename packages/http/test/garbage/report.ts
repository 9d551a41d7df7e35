import { Effect, FastCheck as fc } from "effect"
import { vi } from "vitest"

/** Timeout of a test on the slowest machine, in ms. */
export const timeout = 60_000
vi.setConfig({ testTimeout: timeout })

/** Maximum characters of a counterexample in the output. */
const shown = 3_000

/**
 * Searches for a counterexample and fails with the smallest one and its seed. A run that does not end counts as one.
 * Tries fewer on a machine too slow for all.
 */
export const holds = <Values extends [unknown, ...Array<unknown>]>(
  numRuns: number,
  property: fc.IAsyncProperty<Values>,
  examples: Array<Values> = []
): Effect.Effect<void> =>
  Effect.promise(async () => {
    const limits = { timeout: timeout / 4, interruptAfterTimeLimit: (timeout * 2) / 3 }
    const found = await fc.check(property, { numRuns, examples, ...limits })
    if (!found.failed) return
    const { counterexample, counterexamplePath, error, seed } = found
    throw new Error(
      [
        `{ seed: ${seed}, path: "${counterexamplePath}" }`,
        fc.stringify(counterexample).slice(0, shown),
        String(error).slice(0, shown)
      ].join("\n")
    )
  })
