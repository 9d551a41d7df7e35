/** What one round of a contender came to. */
export interface RoundResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from a call to its answer; null where calls are not what is measured. */
  readonly p50: number | null
  readonly p99: number | null
  /** Microseconds of the contender's own process for each, on all of its threads; null where nobody can tell. */
  readonly cpuMicros: number | null
}

/** How many callers wait for answers at the same time. */
export const callers = 64

/** Keeps all callers busy for as long as `goOn` says: each calls again once it is answered. */
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
  latencies.sort((one, other) => one - other)
  return {
    ...rateOf(latencies.length, elapsedMs, user + system),
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? null,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? null
  }
}

/** Until the time is over, from now on. */
export const untilElapsed = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1_000
  return () => performance.now() < end
}

/** So many times. */
export const untilCount = (count: number): (() => boolean) => {
  let left = count
  return () => left-- > 0
}

/** A round of which calls are not what is measured. */
export const rateOf = (count: number, elapsedMs: number, cpuMicros: number | null): RoundResult => ({
  count,
  perSecond: (count / elapsedMs) * 1_000,
  p50: null,
  p99: null,
  cpuMicros: cpuMicros === null ? null : cpuMicros / count
})
