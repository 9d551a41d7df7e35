/** Number of nesting levels that are kept of a value that is nested too deeply. */
const keptLevels = 100

/**
 * Serialises a parsed JSON value for `raw` of an unknown event. A value that is nested too deeply to serialise is cut
 * at {@link keptLevels} levels; deeper values become null.
 */
export const rawJson = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify overflows the stack at a depth that depends on the platform.
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
