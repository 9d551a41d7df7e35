import { monitorEventLoopDelay } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { type Family, gauge } from "@parley/core"
import { Effect, type Scope } from "effect"

const perSecond = 1e9

/**
 * Process metrics under the names of Prometheus' official clients. Event loop delays cover the time since the last read
 * and are sampled as long as the scope is open.
 */
export const make: Effect.Effect<() => ReadonlyArray<Family>, never, Scope.Scope> = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: 10 })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  const startedAt = Math.round(Date.now() / 1_000 - process.uptime())

  return () => {
    const { user, system } = process.cpuUsage()
    // Node reports no delays before the first sample.
    const delay = delays.count === 0 ? [0, 0, 0] : [delays.percentile(50), delays.percentile(99), delays.max]
    delays.reset()
    const one = (name: string, help: string, value: number) => gauge(name, help, [{ labels: {}, value }])
    return [
      {
        name: "process_cpu_seconds_total",
        help: "Processor time that this process has used",
        type: "counter",
        samples: [{ suffix: "", labels: {}, value: (user + system) / 1e6 }]
      },
      one("process_resident_memory_bytes", "Memory that this process holds", process.memoryUsage.rss()),
      one("process_start_time_seconds", "When this process started, in unix seconds", startedAt),
      one("nodejs_heap_size_used_bytes", "Memory of live JavaScript objects", process.memoryUsage().heapUsed),
      one(
        "nodejs_heap_size_limit_bytes",
        "Where Node gives up for want of memory",
        getHeapStatistics().heap_size_limit
      ),
      gauge(
        "nodejs_eventloop_delay_seconds",
        "How late the event loop was since the last look: the median, the 99th percentile and the most",
        ["p50", "p99", "max"].map((rank, i) => ({ labels: { rank }, value: (delay[i] ?? 0) / perSecond }))
      )
    ]
  }
})
