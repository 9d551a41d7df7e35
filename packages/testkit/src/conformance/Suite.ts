import { describe, it } from "vitest"
import type { World } from "./World.js"

type Test = (world: World) => Promise<unknown>

/** What a section of the suite registers its tests with. A test's name begins with the section that it proves. */
export interface Suite {
  /** A test that runs beside others. */
  readonly proves: (name: string, test: Test) => void
  /** The same, where the deployment's administration has the operation; elsewhere it is skipped and says so. */
  readonly provesWith: (operation: string, name: string, test: Test) => void
}
export type Section = (suite: Suite) => void

const timeout = 180_000

/** Registers sections whose tests run beside each other. */
export const beside = (world: () => World, sections: ReadonlyArray<Section>): void => {
  describe.concurrent("side by side", () => register(it, world, sections))
}

/** Registers sections whose tests run one after the other, when the others are done. */
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

/** Makes something once for each world, when it is first asked for. */
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
