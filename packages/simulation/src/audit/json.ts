/** A JSON object of the wire. */
export interface JsonObject {
  readonly [field: string]: unknown
}

export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

/** The value at a path of fields; undefined where a part is missing. */
export const valueAt = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let current: unknown = value
  for (const field of path) {
    if (typeof current !== "object" || current === null) return undefined
    current = (current as JsonObject)[field]
  }
  return current
}

/** The text at a path of fields; null where there is another value or none. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = valueAt(value, ...path)
  return typeof found === "string" ? found : null
}

export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Time of the wire, in ms; null without one. */
export const timeAt = (value: unknown, field: string): number | null => {
  const text = textAt(value, field)
  return text === null ? null : Date.parse(text)
}

/** JSON with sorted keys and without white space. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const object = objectOf(value)
  if (object === null) return JSON.stringify(value) ?? "null"
  const fields = Object.keys(object).sort()
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonicalJson(object[field])}`).join(",")}}`
}

/** The JSON value of a text; undefined where it is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
