/** Seeds of histories that broke a promise, with what was wrong. A change of the workload makes other histories of them. */
export const failedSeeds: ReadonlyArray<{ readonly seed: number; readonly found: string }> = [
  { seed: 3, found: "a rejection whose commit got no answer was answered 202, with its key free again" },
  {
    seed: 148,
    found: "a host that was stalled during its first measurement of the database's clock told a time 9 s ahead"
  }
]
