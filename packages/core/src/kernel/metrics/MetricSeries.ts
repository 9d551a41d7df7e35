import { Effect, Fiber, FiberRef, Layer, Metric, MetricHook, type MetricKey, MetricPair, Option } from "effect"

/** A counter or a histogram with its labels, and its present state. */
export type Series = MetricPair.MetricPair.Untyped

/** The series of one engine. */
export class MetricSeries {
  readonly #series: Array<() => Series> = []

  counter(key: MetricKey.MetricKey.Counter<number>): (value: number) => void {
    const hook = MetricHook.counter(key)
    this.#series.push(() => MetricPair.unsafeMake(key, hook.get()))
    return hook.update
  }

  histogram(key: MetricKey.MetricKey.Histogram): (value: number) => void {
    const hook = MetricHook.histogram(key)
    this.#series.push(() => MetricPair.unsafeMake(key, hook.get()))
    return hook.update
  }

  snapshot(): ReadonlyArray<Series> {
    return this.#series.map((read) => read())
  }
}

/** The series of engines without their own: Effect's registry of the process, which exporters of OpenTelemetry read. */
export const ofProcess: Pick<MetricSeries, "counter" | "histogram" | "snapshot"> = {
  counter: (key) => {
    const metric = Metric.fromMetricKey(key)
    return (value) => metric.unsafeUpdate(value, [])
  },
  histogram: (key) => {
    const metric = Metric.fromMetricKey(key)
    return (value) => metric.unsafeUpdate(value, [])
  },
  snapshot: () => Metric.unsafeSnapshot()
}

export type AnySeries = typeof ofProcess

/** A reference of fibers, as for loggers: what an engine runs inherits it, also the fibers that its layers start. */
const current: FiberRef.FiberRef<AnySeries> = FiberRef.unsafeMake(ofProcess)

/** The series into which the running fiber records. */
export const currentSeries = (): AnySeries =>
  Option.getOrNull(Fiber.getCurrentFiber())?.getFiberRef(current) ?? ofProcess

/** Gives an engine series of its own, so that several engines of a process do not count each other's work. */
export const ownSeries: Layer.Layer<never> = Layer.scopedDiscard(
  Effect.suspend(() => Effect.locallyScoped(current, new MetricSeries()))
)
