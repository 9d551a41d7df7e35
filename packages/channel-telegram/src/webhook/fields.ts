/** An object of an update. Read field by field, so that one odd field discards nothing else. */
export interface Fields {
  readonly [field: string]: unknown
}

/** The object, or an empty one of any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A text that is not empty; else null. */
export const textIn = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === "string" && value !== "" ? value : null
}

/** A finite number; else null. */
export const numberIn = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

/** A safe integer; else null. */
export const integerIn = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** The objects of a list; none of any other value. */
export const listIn = (fields: Fields, name: string): ReadonlyArray<Fields> => {
  const value = fields[name]
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** The texts that are there, one a line. */
export const lines = (...texts: ReadonlyArray<string | null>): string =>
  texts.filter((text) => text !== null && text !== "").join("\n")
