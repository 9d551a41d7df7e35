/** Number of nesting levels that are kept. */
const keptLevels = 100

/**
 * Serialises a parsed JSON value for `raw` of an unknown event, cut at {@link keptLevels} levels: deeper objects and
 * lists become null. How deep `JSON.stringify` itself can go depends on the version of Node.
 */
export const rawJson = (value: unknown): string => JSON.stringify(downTo(value, keptLevels))

const downTo = (value: unknown, levels: number): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((inner) => downTo(inner, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, downTo(inner, levels - 1)]))
}
