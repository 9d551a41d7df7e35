import { type Refusal, refuse } from "@parley/core"
import { Either } from "effect"

/** The most bytes that a body may have (decisions.md §2). */
export const bodyLimit = 1_048_576

/** The most levels that objects and lists in a body may be nested. */
export const nestingLimit = 100

export type JsonObject = { readonly [key: string]: unknown }

/** A body as a JSON object, or `bad_request` that says what it is instead. */
export const jsonBody = (bytes: Uint8Array, contentType: string | undefined): Either.Either<JsonObject, Refusal> => {
  if (!isJson(contentType)) return bad("The Content-Type must be application/json.")
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return bad("The body is not valid UTF-8.")
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad("The body is not valid JSON.")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("The body must be a JSON object.")
  if (isDeeper(value, nestingLimit)) return bad(`The body is nested deeper than ${nestingLimit} levels.`)
  return Either.right(value as JsonObject)
}

const bad = (message: string) => Either.left(refuse("bad_request", {}, message))

const isJson = (contentType: string | undefined): boolean =>
  contentType === "application/json" || /^application\/json[ \t]*(;|$)/i.test(contentType ?? "")

const isDeeper = (value: object, levels: number): boolean => {
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null && isDeeper(inner, levels - 1)) return true
  }
  return false
}
