/** The columns whose values differ, with their new values. */
export const differences = <R extends object>(before: R, after: R): Partial<R> => {
  const values: Partial<R> = {}
  for (const column in after) {
    const value = after[column]
    if (!isSame(value, before[column])) values[column] = value
  }
  return values
}

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
