import type { Fiber } from "effect"
import { globalValue } from "effect/GlobalValue"

/** Effect's own set of root fibers. It holds each of them until it ends, which fibers of crashed processes never do. */
const { roots } = globalValue(Symbol.for("effect/FiberScope/Global"), () => ({
  roots: new Set<Fiber.Fiber<unknown>>()
}))

/** Runs a function, and removes the root fibers that it started and left without an end. They must not run again. */
export const forgetFibers = <A>(run: () => A): A => {
  const others = new Set(roots)
  try {
    return run()
  } finally {
    for (const fiber of roots) if (!others.has(fiber)) roots.delete(fiber)
  }
}
