/** One line of `/metrics`. */
export interface Sample {
  /** What follows the family's name: `_bucket`, `_sum` or `_count` of a histogram; else empty. */
  readonly suffix: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

/** All series of one metric at a moment. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

/** A gauge by one label or by none. */
export const gauge = (name: string, help: string, samples: ReadonlyArray<Omit<Sample, "suffix">>): Family => ({
  name,
  help,
  type: "gauge",
  samples: samples.map((sample) => ({ suffix: "", ...sample }))
})
