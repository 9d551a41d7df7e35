/** How many levels of objects and lists are kept of what is nested too deeply: more than any vendor writes. */
const keptLevels = 100

/**
 * A value that came as JSON, as JSON again: for an unknown event (`raw`). What is nested so deeply that it cannot be written is
 * kept down to {@link keptLevels} levels, and null for what lies deeper.
 */
export const rawJson = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // The stack has an end, which is not at the same level everywhere.
    if (error instanceof RangeError) return JSON.stringify(downTo(value, keptLevels))
    throw error
  }
}

const downTo = (value: unknown, levels: number): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((inner) => downTo(inner, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, downTo(inner, levels - 1)]))
}
