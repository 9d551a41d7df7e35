/** The rates to try, per second. */
export const rates: ReadonlyArray<number> = [
  50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_500, 3_000, 3_500, 4_000,
  5_000, 6_000, 7_000, 8_000, 10_000
]

/** Binary search for the highest sustained rate of {@link rates}; 0 if none is. */
export const highestSustainedRate = async (holds: (perSecond: number) => Promise<boolean>): Promise<number> => {
  let [held, from, to] = [0, 0, rates.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const rate = rates[middle] ?? 0
    if (await holds(rate)) [held, from] = [rate, middle + 1]
    else to = middle
  }
  return held
}
