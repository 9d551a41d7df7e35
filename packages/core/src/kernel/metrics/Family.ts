/** One sample, a line of `/metrics`. */
export interface Sample {
  /** Suffix of the family's name: `_bucket`, `_sum` or `_count` of a histogram; else empty. */
  readonly suffix: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

/** A snapshot of all series of one metric. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

/** Creates a gauge. */
export const gauge = (name: string, help: string, samples: ReadonlyArray<Omit<Sample, "suffix">>): Family => ({
  name,
  help,
  type: "gauge",
  samples: samples.map((sample) => ({ suffix: "", ...sample }))
})
