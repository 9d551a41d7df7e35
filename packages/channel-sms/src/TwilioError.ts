import type { VendorError } from "@parley/provider-kit"
import { Option, Schema } from "effect"

/** An error of Twilio's API. */
export interface TwilioError extends VendorError {
  readonly code: number
}

const readAnswer = Schema.decodeUnknownOption(
  Schema.Struct({ code: Schema.Int, message: Schema.optional(Schema.String) })
)

/** The error in an answer; null if it has none of Twilio's. */
export const twilioErrorOf = (json: unknown): TwilioError | null =>
  readAnswer(json).pipe(
    Option.map(({ code, message = "" }) => ({ code, message, providerCode: String(code) })),
    Option.getOrNull
  )
