import { percentileOf } from "./percentileOf.js"

/** The result of one round of a contender. */
export interface RoundResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from a call to its answer; null if calls are not measured. */
  readonly p50: number | null
  readonly p99: number | null
  /** CPU time of the contender's process per operation, all threads, in µs; null if unknown. */
  readonly cpuMicros: number | null
}

/** Number of concurrent callers. */
export const callers = 64

/** Runs all callers while `goOn` is true: each calls again after its response. */
export const measure = async (
  goOn: () => boolean,
  call: () => Promise<unknown>,
  atOnce: number = callers
): Promise<RoundResult> => {
  const latencies: Array<number> = []
  const cpu = process.cpuUsage()
  const start = performance.now()
  const caller = async () => {
    while (goOn()) {
      const before = performance.now()
      await call()
      latencies.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  const latency = percentileOf(latencies)
  return {
    ...rateOf(latencies.length, elapsedMs, user + system),
    p50: latencies.length === 0 ? null : latency(0.5),
    p99: latencies.length === 0 ? null : latency(0.99)
  }
}

/** True until the duration from now is over. */
export const untilElapsed = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1_000
  return () => performance.now() < end
}

/** True for this number of times. */
export const untilCount = (count: number): (() => boolean) => {
  let left = count
  return () => left-- > 0
}

/** A round without measured calls. */
export const rateOf = (count: number, elapsedMs: number, cpuMicros: number | null): RoundResult => ({
  count,
  perSecond: (count / elapsedMs) * 1_000,
  p50: null,
  p99: null,
  cpuMicros: cpuMicros === null ? null : cpuMicros / count
})
