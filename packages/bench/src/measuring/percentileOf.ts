/** The percentiles of some values, by share from 0 to 1; NaN without values. */
export const percentileOf = (values: ReadonlyArray<number>): ((share: number) => number) => {
  const sorted = [...values].sort((one, other) => one - other)
  return (share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}
