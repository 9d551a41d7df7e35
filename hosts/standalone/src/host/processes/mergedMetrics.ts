import type { Family, Sample } from "@parley/core"

/** The metrics of one process of a host. */
export interface ProcessFamilies {
  readonly number: number
  readonly families: ReadonlyArray<Family>
}

/** Metrics of a process itself, such as its memory. */
const isOfProcess = ({ name }: Family): boolean => /^(process|nodejs)_/.test(name)

const keyOf = ({ labels, suffix }: Sample): string => `${suffix} ${JSON.stringify(Object.entries(labels).sort())}`

/**
 * The metrics of a host with several processes, as one scrape shows them. Counters and histograms are summed. Metrics
 * of a process itself have the label `process`. Other gauges tell about the database, which all processes share: the
 * largest value counts.
 */
export const mergedMetrics = (processes: ReadonlyArray<ProcessFamilies>): ReadonlyArray<Family> => {
  const merged = new Map<string, { readonly family: Family; readonly samples: Map<string, Sample> }>()
  for (const { families, number } of processes) {
    for (const family of families) {
      const known = merged.get(family.name) ?? { family, samples: new Map<string, Sample>() }
      merged.set(family.name, known)
      const combine = family.type === "gauge" ? Math.max : (one: number, other: number) => one + other
      for (const given of family.samples) {
        const sample = isOfProcess(family) ? { ...given, labels: { ...given.labels, process: `${number}` } } : given
        const before = known.samples.get(keyOf(sample))
        const value = before === undefined ? sample.value : combine(before.value, sample.value)
        known.samples.set(keyOf(sample), { ...sample, value })
      }
    }
  }
  return [...merged.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }))
}

/** What remains of the metrics of an ended process: its counts, so that no counter runs backwards. */
export const remaining = (families: ReadonlyArray<Family>): ReadonlyArray<Family> =>
  families.filter((family) => family.type !== "gauge" && !isOfProcess(family))
