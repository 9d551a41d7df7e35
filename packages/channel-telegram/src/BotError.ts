import { second } from "@parley/core"
import type { VendorError } from "@parley/provider-kit"
import { Option, Schema } from "effect"

/**
 * An error of the Bot API (docs/reference/telegram.md#error-answer). Its meaning depends on the code, and among equal
 * codes on the description.
 */
export interface BotError extends VendorError {
  /** The HTTP status. */
  readonly code: number
  /** The new id of a migrated group. */
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

/** Telegram's web server refuses large uploads by a page of its own. */
const tooLarge: BotError = {
  code: 413,
  providerCode: "413",
  message: "Request Entity Too Large",
  retryAfterMs: null,
  movedTo: null
}

/** The error in an answer; null if the answer has none of the Bot API. */
export const botErrorOf = (json: unknown, status: number): BotError | null =>
  readAnswer(json).pipe(
    Option.map(({ description = "", error_code, parameters: { migrate_to_chat_id, retry_after } = {} }) => ({
      code: error_code,
      providerCode: String(error_code),
      message: description,
      retryAfterMs: retry_after === undefined ? null : retry_after * second,
      movedTo: migrate_to_chat_id === undefined ? null : String(migrate_to_chat_id)
    })),
    Option.getOrElse(() => (status === tooLarge.code ? tooLarge : null))
  )
