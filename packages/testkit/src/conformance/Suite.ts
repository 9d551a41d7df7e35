import { describe, it } from "vitest"
import type { World } from "./World.js"

type Test = (world: World) => Promise<unknown>

/** Registers the tests of a section. A test's name begins with the section of the reference that it tests. */
export interface Suite {
  /** A test that runs concurrently with others. */
  readonly proves: (name: string, test: Test) => void
  /**
   * The same, for a deployment whose administration has the operation; otherwise the test is skipped, with the reason.
   */
  readonly provesWith: (operation: string, name: string, test: Test) => void
}
export type Section = (suite: Suite) => void

const timeout = 180_000

/** Registers sections whose tests run concurrently. */
export const beside = (world: () => World, sections: ReadonlyArray<Section>): void => {
  describe.concurrent("side by side", () => register(it, world, sections))
}

/** Registers sections whose tests run one after the other, after all others. */
export const inOrder = (world: () => World, sections: ReadonlyArray<Section>): void => {
  describe.sequential("one after the other", () => register(it, world, sections))
}

const register = (test: typeof it, world: () => World, sections: ReadonlyArray<Section>): void => {
  const suite: Suite = {
    proves: (name, run) => {
      test(name, { timeout }, () => run(world()).then(() => {}))
    },
    provesWith: (operation, name, run) => {
      test(name, { timeout }, async ({ skip }) => {
        if (!(await world().admin.has(operation))) skip(`this deployment's administration has no ${operation}`)
        await run(world())
      })
    }
  }
  for (const section of sections) section(suite)
}

/** Creates something once for each world, on first use. */
export const once = <A>(make: (world: World) => Promise<A>): ((world: World) => Promise<A>) => {
  const made = new WeakMap<World, Promise<A>>()
  return (world) => {
    const before = made.get(world)
    if (before !== undefined) return before
    const now = make(world)
    made.set(world, now)
    return now
  }
}
