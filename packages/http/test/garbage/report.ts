import { Effect, FastCheck as fc } from "effect"
import { vi } from "vitest"

/** How long a test may take on the slowest machine, in ms. */
export const patience = 60_000
vi.setConfig({ testTimeout: patience })

/** The most characters of a counterexample that are shown. */
const shown = 3_000

/**
 * Looks for a counterexample, and fails with the smallest one and its seed. A run without end is one. On a machine that is
 * so slow that it would take too long, it looks at fewer.
 */
export const holds = <Values extends [unknown, ...Array<unknown>]>(
  numRuns: number,
  property: fc.IAsyncProperty<Values>,
  examples: Array<Values> = []
): Effect.Effect<void> =>
  Effect.promise(async () => {
    const limits = { timeout: patience / 4, interruptAfterTimeLimit: (patience * 2) / 3 }
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
