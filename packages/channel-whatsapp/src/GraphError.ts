import { Option, Schema } from "effect"

/** An error of the Graph API (channels.md, WhatsApp Cloud API). What it means goes by its code alone. */
export interface GraphError {
  readonly code: number
  readonly subcode: number | null
  /** Meta's own words, which may repeat what was sent. */
  readonly message: string
  /** Meta says that the same call may go well later. */
  readonly isTransient: boolean
}

const Answer = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Number,
    error_subcode: Schema.optional(Schema.Number),
    message: Schema.optional(Schema.String),
    is_transient: Schema.optional(Schema.Boolean),
    error_data: Schema.optional(Schema.Unknown)
  })
})
const readAnswer = Schema.decodeUnknownOption(Answer)
const readDetails = Schema.decodeUnknownOption(Schema.Struct({ details: Schema.String }))

/** The error that an answer tells of; null where it is none of the Graph API. */
export const graphErrorOf = (json: unknown): GraphError | null =>
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
