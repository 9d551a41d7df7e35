import { Data } from "effect"
import { catalogue, type ErrorCode } from "./Catalogue.js"

/** Validation messages by wire name of the field; nested names have the form `message.template`. */
export type Problems = { readonly [field: string]: ReadonlyArray<string> }

/**
 * `details` of an error, as JSON in wire shape: field problems, or the fields of the code
 * (docs/reference/errors.md#details-by-code).
 */
export type Details = { readonly [key: string]: unknown }

interface RefusalFields {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Details
}

/**
 * An operation that was refused with an error code. The only error that business rules fail with. Branch on `code`. It
 * has no stack trace: it is an answer, and V8's capture of a stack was about a tenth of what a refused request costs.
 */
export class Refusal extends Data.TaggedError("Refusal")<RefusalFields> {
  constructor(fields: RefusalFields) {
    const limit = Error.stackTraceLimit
    // Unlike an assignment, this does not throw where the objects of the language are frozen.
    Reflect.set(Error, "stackTraceLimit", 0)
    super(fields)
    Reflect.set(Error, "stackTraceLimit", limit)
  }
}

/** Creates a {@link Refusal}. Default message: the catalogue's meaning of the code. */
export const refuse = (code: ErrorCode, details: Details = {}, message: string = sentence(code)): Refusal =>
  new Refusal({ code, details, message })

/** Whether a later try may not meet the refusal. A job without a caller fails with it, and the queue tries again. */
export const isTemporary = ({ code, details }: Refusal): boolean =>
  code === "service_unavailable" ||
  code === "internal_error" ||
  (code === "idempotency_conflict" && details.reason === "still_running")

/** 422 `validation_failed` with all problems of the input. */
export const invalid = (problems: Problems, more: Details = {}): Refusal =>
  refuse("validation_failed", { ...problems, ...more }, "Some fields are invalid; details names each of them.")

const sentence = (code: ErrorCode): string => {
  const meaning = catalogue[code].meaning.replace(/[;,] .*`details.*|\(`details[^)]*\)/, "").trim()
  return `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`
}
