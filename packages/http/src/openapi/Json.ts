/** A part of an OpenAPI document: plain JSON. */
export interface Json {
  readonly [key: string]: unknown
}

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
