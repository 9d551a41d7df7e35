/** Fields of an object of the vendor; none for another value. */
export type Fields = { readonly [field: string]: unknown }

/** The value as an object; empty for another value, so that one odd field does not discard the rest. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The value as a list; empty for another value. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The value as a text; null for another value and for an empty text. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** The value as a number, also if written as text; null for another value. */
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === "number" || textOf(value) !== null ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** The value as an id, also if it is a whole number; null for another value. */
export const idOf = (value: unknown): string | null => (Number.isSafeInteger(value) ? String(value) : textOf(value))
