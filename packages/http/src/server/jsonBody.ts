import { parseJson, type Refusal, refuse } from "@parley/core"
import { Either } from "effect"
import { headerOf, type Incoming } from "./Incoming.js"
import { type JsonSize, jsonSize } from "./jsonSize.js"

/** Maximum body size in bytes (docs/reference/requests.md#body-size). */
export const bodyLimit = 1_048_576

/**
 * Maximum number of values and of keys in a body (docs/reference/requests.md#body-size): more than any operation needs
 * except an import of contacts with many fields, and few enough to be checked within one turn of the event loop.
 */
export const maxValues = 50_000
export const maxKeys = 20_000

/**
 * Nesting levels of objects and lists that are kept of a body: more than any field accepts, and few enough for
 * recursive code.
 */
const keptLevels = 100

export type JsonObject = { readonly [key: string]: unknown }

/** Parses a body as a JSON object. Fails with `bad_request`. */
export const jsonBody = (bytes: Uint8Array, incoming: Incoming): Either.Either<JsonObject, Refusal> => {
  if (!isJson(headerOf(incoming, "content-type"))) return bad("The Content-Type must be application/json.")
  const text = utf8(bytes)
  if (Either.isLeft(text)) return Either.left(text.left)
  const { deeper, keys, values } = jsonSize(bytes, keptLevels)
  if (values > maxValues) return bad(`The body must have at most ${maxValues} values.`)
  if (keys > maxKeys) return bad(`The body must have at most ${maxKeys} keys.`)
  let value: unknown
  try {
    value = parseJson(deeper.length === 0 ? text.right : utf8Text(withNulls(bytes, deeper)))
  } catch {
    return bad("The body is not valid JSON.")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("The body must be a JSON object.")
  return Either.right(value as JsonObject)
}

/** Decodes a body as UTF-8. Fails with `bad_request`. */
export const utf8 = (bytes: Uint8Array): Either.Either<string, Refusal> => {
  try {
    return Either.right(utf8Text(bytes))
  } catch {
    return bad("The body is not valid UTF-8.")
  }
}

/** For whole texts only: after a part of one, it would keep the rest. */
const decoder = new TextDecoder("utf-8", { fatal: true })
const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes)

const bad = (message: string) => Either.left(refuse("bad_request", {}, message))

const isJson = (contentType: string | undefined): boolean =>
  contentType === "application/json" || /^application\/json[ \t]*(;|$)/i.test(contentType ?? "")

/**
 * Replaces values nested deeper with null, before they are parsed: 500,000 lists in each other take a tenth of a
 * second. No field accepts so many levels: a known field reports its own limit (`must be nested at most …`), an unknown
 * one is ignored.
 */
const withNulls = (bytes: Uint8Array, places: JsonSize["deeper"]): Uint8Array => {
  const parts: Array<Uint8Array> = []
  let kept = 0
  for (const { end, start } of places) {
    parts.push(bytes.subarray(kept, start), nullBytes)
    kept = end
  }
  return Buffer.concat([...parts, bytes.subarray(kept)])
}

const nullBytes = Buffer.from("null")
