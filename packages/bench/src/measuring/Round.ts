/** What one round of a contender came to. */
export interface Round {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from a call to its answer; null where calls are not what is measured. */
  readonly p50: number | null
  readonly p99: number | null
  /** Microseconds of the contender's own process for each, on all of its threads. */
  readonly cpuMicros: number
}

/** How many callers wait for answers at the same time. */
export const callers = 64

/** Keeps all callers busy until the time is over: each calls again once it is answered. */
export const measure = async (seconds: number, call: () => Promise<unknown>): Promise<Round> => {
  const latencies: Array<number> = []
  const cpu = process.cpuUsage()
  const start = performance.now()
  const end = start + seconds * 1_000
  const caller = async () => {
    for (let before = performance.now(); before < end; ) {
      await call()
      const after = performance.now()
      latencies.push(after - before)
      before = after
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return roundOf(latencies, performance.now() - start, process.cpuUsage(cpu))
}

/** The figures of calls with these latencies. */
export const roundOf = (
  latencies: Array<number>,
  elapsedMs: number,
  cpu: { readonly user: number; readonly system: number }
): Round => {
  latencies.sort((one, other) => one - other)
  const count = latencies.length
  return {
    count,
    perSecond: (count / elapsedMs) * 1_000,
    p50: latencies[Math.floor(count * 0.5)] ?? null,
    p99: latencies[Math.floor(count * 0.99)] ?? null,
    cpuMicros: (cpu.user + cpu.system) / count
  }
}
