import { setTimeout as sleep } from "node:timers/promises"

/**
 * Calls so many times a second, evenly to the millisecond, whatever becomes of the calls before; done when all of them are.
 * Each is told the moment at which it was due, in ms of `performance`: who measures from there measures also what a call
 * had to wait for.
 */
export const atRate = async (
  perSecond: number,
  seconds: number,
  call: (due: number) => Promise<unknown>
): Promise<void> => {
  const start = performance.now()
  const total = perSecond * seconds
  const calls: Array<Promise<unknown>> = []
  while (calls.length < total) {
    const dueSoFar = Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1
    while (calls.length < Math.min(dueSoFar, total)) calls.push(call(start + (calls.length * 1_000) / perSecond))
    await sleep(1)
  }
  await Promise.all(calls)
}
