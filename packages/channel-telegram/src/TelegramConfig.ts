import { wholeNumber } from "@parley/core"
import { Schema } from "effect"

/** The `config` of a connection (docs/channels/telegram.md). */
export const TelegramConfig = Schema.Struct({
  messages_per_second: Schema.optionalWith(
    wholeNumber(1, 30).annotations({
      title: "Messages a second",
      description: "How many the bot may send; fewer where another program sends by the same bot. Default: 30."
    }),
    { exact: true }
  )
})
export type TelegramConfig = typeof TelegramConfig.Type
