import { Data } from "effect"
import { catalogue, type ErrorCode } from "./Catalogue.js"

/** Field problems by wire name (nested names such as `message.template`), each a list of plain sentences. */
export type Problems = { readonly [field: string]: ReadonlyArray<string> }

/** `details` of an error: field problems, or what the code promises. JSON values in wire shape. */
export type Details = { readonly [key: string]: unknown }

/**
 * An operation that was not carried out, with the code that the interface answers. It is the only error that rules of the
 * specification raise; branch on `code`.
 */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly code: ErrorCode
  readonly message: string
  readonly details: Details
}> {}

/** A {@link Refusal} with the catalogue's meaning as its message, unless a better one is given. */
export const refuse = (code: ErrorCode, details: Details = {}, message: string = sentence(code)): Refusal =>
  new Refusal({ code, details, message })

/** 422 `validation_failed` with every problem of the input at once. */
export const invalid = (problems: Problems, more: Details = {}): Refusal =>
  refuse("validation_failed", { ...problems, ...more }, "Some fields are invalid; details names each of them.")

const sentence = (code: ErrorCode): string => {
  const meaning = catalogue[code].meaning.replace(/[;,] .*`details.*|\(`details[^)]*\)/, "").trim()
  return `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`
}
