import { type Refusal, refuse } from "@parley/core"
import { Either } from "effect"
import { headerOf, type Incoming } from "./Incoming.js"

/** The most bytes that a body may have (decisions.md §2). */
export const bodyLimit = 1_048_576

/** How many levels of objects and lists are kept of a body: more than any field takes, and few enough for every stack. */
const keptLevels = 100

export type JsonObject = { readonly [key: string]: unknown }

/** A body as a JSON object, or `bad_request` that says what it is instead. */
export const jsonBody = (bytes: Uint8Array, incoming: Incoming): Either.Either<JsonObject, Refusal> => {
  if (!isJson(headerOf(incoming, "content-type"))) return bad("The Content-Type must be application/json.")
  const text = utf8(bytes)
  if (Either.isLeft(text)) return Either.left(text.left)
  let value: unknown
  try {
    value = JSON.parse(text.right)
  } catch {
    return bad("The body is not valid JSON.")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("The body must be a JSON object.")
  cutBelow(value, keptLevels)
  return Either.right(value as JsonObject)
}

/** A body as text, or `bad_request`. */
export const utf8 = (bytes: Uint8Array): Either.Either<string, Refusal> => {
  try {
    return Either.right(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return bad("The body is not valid UTF-8.")
  }
}

const bad = (message: string) => Either.left(refuse("bad_request", {}, message))

const isJson = (contentType: string | undefined): boolean =>
  contentType === "application/json" || /^application\/json[ \t]*(;|$)/i.test(contentType ?? "")

/**
 * Puts null for what lies deeper. No field takes so many levels: it has its own words for them (`must be nested at most …`),
 * or is unknown and ignored.
 */
const cutBelow = (value: object, levels: number): void => {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "object" || inner === null) continue
    if (levels > 1) cutBelow(inner, levels - 1)
    else Object.assign(value, { [key]: null })
  }
}
