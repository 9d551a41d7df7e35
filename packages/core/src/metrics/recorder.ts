import { Metric, type MetricBoundaries, MetricKey, MetricLabel } from "effect"

/** A metric with labels: what it counts or distributes (seconds, numbers of rows), by the value of each label. */
export interface LabelledMetric<Labels extends ReadonlyArray<string>> {
  /** Begins with `parley_` and ends with its unit, or `_total` (Prometheus, Metric naming). */
  readonly name: string
  /** One sentence for whoever reads `/metrics`. */
  readonly description: string
  /** The names of the labels. Their values must be few and known beforehand: no ids, nothing that a caller chose. */
  readonly labels: Labels
  /** A histogram with these buckets; absent: a counter. */
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
 * Records into Effect's metrics of this process. A series is made at its first value and found by its label values from
 * then on, so that recording builds nothing and is cheap enough for every request.
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
  const root = branch()
  return (value, ...labels) => {
    let at = root
    for (const label of labels) {
      let next = at.below.get(label)
      if (next === undefined) {
        next = branch()
        at.below.set(label, next)
      }
      at = next
    }
    at.series ??= seriesOf(metric, labels)
    at.series(value)
  }
}

const seriesOf = (
  { boundaries, description, labels, name }: LabelledMetric<ReadonlyArray<string>>,
  values: ReadonlyArray<string>
): ((value: number) => void) => {
  const tags = labels.map((label, i) => MetricLabel.make(label, values[i] ?? ""))
  // The labels go into the key, because a metric that is tagged afterwards builds its key anew at every update.
  if (boundaries === undefined) {
    const key = MetricKey.taggedWithLabels(MetricKey.counter(name, { description, incremental: true }), tags)
    const counter = Metric.fromMetricKey(key)
    return (value) => counter.unsafeUpdate(value, [])
  }
  const key = MetricKey.taggedWithLabels(MetricKey.histogram(name, boundaries, description), tags)
  const histogram = Metric.fromMetricKey(key)
  return (value) => histogram.unsafeUpdate(value, [])
}
