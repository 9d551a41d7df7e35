import { type MetricBoundaries, MetricKey, MetricLabel } from "effect"
import { type AnySeries, currentSeries } from "./MetricSeries.js"

/** Definition of a counter or histogram with labels. */
export interface LabelledMetric<Labels extends ReadonlyArray<string>> {
  /** Begins with `parley_` and ends with its unit, or `_total` (Prometheus, Metric naming). */
  readonly name: string
  /** The help text in `/metrics`, one sentence. */
  readonly description: string
  /** Label names. Label values must be few and known beforehand: no ids, nothing chosen by a caller. */
  readonly labels: Labels
  /** Bucket boundaries of a histogram. Absent: a counter. */
  readonly boundaries?: MetricBoundaries.MetricBoundaries
}

/** Adds a value to the series of these label values. */
export type Recorder<Labels extends ReadonlyArray<string>> = (
  value: number,
  ...labels: { readonly [L in keyof Labels]: string }
) => void

interface Branch {
  readonly below: Map<string, Branch>
  series: ((value: number) => void) | null
}

const branch = (): Branch => ({ below: new Map(), series: null })

/**
 * Creates a function that records into the series of the running fiber's engine. A series is created at its first value
 * and cached by label values, so that recording allocates nothing and is cheap enough for every request.
 *
 * @example
 * ```ts
 * const failures = recorder({ name: "parley_job_failures_total", description: "Jobs that failed", labels: ["lane"] })
 * failures(1, "deliveries")
 * ```
 */
export const recorder = <const Labels extends ReadonlyArray<string>>(
  metric: LabelledMetric<Labels>
): Recorder<Labels> => {
  const roots = new WeakMap<AnySeries, Branch>()
  return (value, ...labels) => {
    const all = currentSeries()
    let root = roots.get(all)
    if (root === undefined) {
      root = branch()
      roots.set(all, root)
    }
    let at: Branch = root
    for (const label of labels) {
      let next = at.below.get(label)
      if (next === undefined) {
        next = branch()
        at.below.set(label, next)
      }
      at = next
    }
    at.series ??= seriesOf(all, metric, labels)
    at.series(value)
  }
}

const seriesOf = (
  all: AnySeries,
  { boundaries, description, labels, name }: LabelledMetric<ReadonlyArray<string>>,
  values: ReadonlyArray<string>
): ((value: number) => void) => {
  const tags = labels.map((label, i) => MetricLabel.make(label, values[i] ?? ""))
  // Labels are part of the key, because a metric that is tagged afterwards rebuilds its key at every update.
  return boundaries === undefined
    ? all.counter(MetricKey.taggedWithLabels(MetricKey.counter(name, { description, incremental: true }), tags))
    : all.histogram(MetricKey.taggedWithLabels(MetricKey.histogram(name, boundaries, description), tags))
}
