import { second } from "@parley/core"
import { Option, Schema } from "effect"

/** An error of the Bot API (channels.md, Telegram). What it means goes by its code and, among equal codes, by its words. */
export interface BotError {
  /** That of HTTP. */
  readonly code: number
  /** Telegram's own words, such as `Bad Request: chat not found`. */
  readonly description: string
  /** How long to wait, in ms. */
  readonly retryAfterMs: number | null
  /** The id that a group has now. */
  readonly movedTo: string | null
}

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({
    ok: Schema.Literal(false),
    error_code: Schema.Int,
    description: Schema.optional(Schema.String),
    parameters: Schema.optional(
      Schema.Struct({
        retry_after: Schema.optional(Schema.NonNegativeInt),
        migrate_to_chat_id: Schema.optional(Schema.Int)
      })
    )
  })
)

/** The error that an answer tells of; null where it is none of the Bot API. */
export const botErrorOf = (json: unknown): BotError | null =>
  readAnswer(json).pipe(
    Option.map(({ description = "", error_code, parameters: { migrate_to_chat_id, retry_after } = {} }) => ({
      code: error_code,
      description,
      retryAfterMs: retry_after === undefined ? null : retry_after * second,
      movedTo: migrate_to_chat_id === undefined ? null : String(migrate_to_chat_id)
    })),
    Option.getOrNull
  )
