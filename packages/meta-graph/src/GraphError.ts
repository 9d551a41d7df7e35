import type { VendorError } from "@parley/provider-kit"
import { Option, Schema } from "effect"

/** An error of the Graph API. Its meaning depends on its codes only. */
export interface GraphError extends VendorError {
  readonly code: number
  readonly subcode: number | null
  /** Meta reports that the same call may succeed later. */
  readonly isTransient: boolean
}

/** Meta writes null for some fields that others leave out. */
const nullable = <A>(schema: Schema.Schema<A>) => Schema.optionalWith(schema, { nullable: true })

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Number,
      error_subcode: nullable(Schema.Number),
      message: nullable(Schema.String),
      is_transient: nullable(Schema.Boolean),
      error_data: Schema.optional(Schema.Unknown)
    })
  })
)
const readDetails = Schema.decodeUnknownOption(Schema.Struct({ details: Schema.String }))

/** The codes in the form of Meta's documentation: `10/2018278`, or `190` alone. */
export const codesOf = ({ code, subcode }: Pick<GraphError, "code" | "subcode">): string =>
  subcode === null ? String(code) : `${code}/${subcode}`

/** The error in an answer; null if it has none of the Graph API. */
export const graphErrorOf = (json: unknown): Omit<GraphError, "providerCode"> | null =>
  readAnswer(json).pipe(
    Option.map(({ error }) => ({
      code: error.code,
      subcode: error.error_subcode ?? null,
      message: readDetails(error.error_data).pipe(
        Option.map(({ details }) => details),
        Option.getOrElse(() => error.message ?? "")
      ),
      isTransient: error.is_transient ?? false
    })),
    Option.getOrNull
  )
