import { setTimeout as sleep } from "node:timers/promises"

/**
 * Calls at an even rate per second, to the millisecond, without waiting for earlier calls; resolves when all are done.
 * `stop` ends it earlier.
 * Each call receives its due time, in ms of `performance`: a latency from there includes the wait before the call.
 */
export const atRate = async (
  perSecond: number,
  seconds: number,
  call: (due: number) => Promise<unknown>,
  stop?: AbortSignal
): Promise<void> => {
  const start = performance.now()
  const total = perSecond * seconds
  const calls: Array<Promise<unknown>> = []
  while (calls.length < total && stop?.aborted !== true) {
    const dueSoFar = Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1
    while (calls.length < Math.min(dueSoFar, total)) calls.push(call(start + (calls.length * 1_000) / perSecond))
    await sleep(1)
  }
  await Promise.all(calls)
}
