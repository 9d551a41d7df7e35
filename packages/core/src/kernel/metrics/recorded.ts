import { MetricState, Option } from "effect"
import type { Family, Sample } from "./Family.js"
import { currentSeries, type Series } from "./MetricSeries.js"

/**
 * Snapshot of the counters, gauges and histograms of the running fiber's engine whose names begin with `prefix`, sorted
 * by name.
 */
export const recorded = (prefix: string): ReadonlyArray<Family> => {
  const families = new Map<string, Family & { readonly samples: Array<Sample> }>()
  for (const { metricKey, metricState } of currentSeries().snapshot()) {
    const { description, name, tags } = metricKey
    const read = name.startsWith(prefix) ? readingOf(metricState) : null
    if (read === null) continue
    const help = Option.getOrElse(description, () => name)
    const family = families.get(name) ?? { name, help, type: read.type, samples: [] }
    families.set(name, family)
    const labels = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
    for (const sample of read.samples) family.samples.push({ ...sample, labels: { ...labels, ...sample.labels } })
  }
  return [...families.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

type Reading = Pick<Family, "type" | "samples">

/** Null for metric types that Parley does not record. */
const readingOf = (state: Series["metricState"]): Reading | null => {
  const sample = (suffix: string, value: number, labels: Sample["labels"] = {}): Sample => ({ suffix, labels, value })
  if (MetricState.isCounterState(state)) return { type: "counter", samples: [sample("", Number(state.count))] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", samples: [sample("", Number(state.value))] }
  if (!MetricState.isHistogramState(state)) return null
  const buckets = state.buckets.map(([bound, count]) =>
    sample("_bucket", count, { le: bound === Number.POSITIVE_INFINITY ? "+Inf" : `${bound}` })
  )
  return { type: "histogram", samples: [...buckets, sample("_sum", state.sum), sample("_count", state.count)] }
}
