/** Deep equality of two JSON values; the order of an object's fields is ignored. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const fields = Object.keys(one)
  return (
    fields.length === Object.keys(other).length &&
    fields.every((field) => Object.hasOwn(other, field) && isSameJson(one[field], other[field]))
  )
}

const isNested = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null
