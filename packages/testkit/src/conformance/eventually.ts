import { setTimeout } from "node:timers/promises"

/** Looks until `look` finds something, and fails after `patience` milliseconds. */
export const eventually = async <A>(
  what: string,
  patience: number,
  look: () => A | undefined | Promise<A | undefined>
): Promise<A> => {
  const deadline = performance.now() + patience
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1_000)) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${patience} ms: ${what}`)
    await setTimeout(pause)
  }
}
