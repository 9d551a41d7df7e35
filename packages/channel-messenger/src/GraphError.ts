import { Option, Schema } from "effect"

/** An error of the Graph API (channels.md, Facebook Messenger and Instagram). What it means goes by its codes alone. */
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
    is_transient: Schema.optional(Schema.Boolean)
  })
})
const readAnswer = Schema.decodeUnknownOption(Answer)

/** The error that an answer tells of; null where it is none of the Graph API. */
export const graphErrorOf = (json: unknown): GraphError | null =>
  readAnswer(json).pipe(
    Option.map(({ error }) => ({
      code: error.code,
      subcode: error.error_subcode ?? null,
      message: error.message ?? "",
      isTransient: error.is_transient ?? false
    })),
    Option.getOrNull
  )

/** The codes as Meta's list has them: `10/2018278`, or `190` alone. */
export const codesOf = ({ code, subcode }: Pick<GraphError, "code" | "subcode">): string =>
  subcode === null ? String(code) : `${code}/${subcode}`
