import { setTimeout } from "node:timers/promises"

/** Polls until `look` returns something. Fails after `timeout` ms. */
export const eventually = async <A>(
  what: string,
  timeout: number,
  look: () => A | undefined | Promise<A | undefined>
): Promise<A> => {
  const deadline = performance.now() + timeout
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1_000)) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${timeout} ms: ${what}`)
    await setTimeout(pause)
  }
}
