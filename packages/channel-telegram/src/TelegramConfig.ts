import { type Connection, wholeNumber } from "@parley/core"
import { Schema } from "effect"

/** The `config` of a connection (docs/channels/telegram.md). */
export const TelegramConfig = Schema.Struct({
  messages_per_second: Schema.optionalWith(
    wholeNumber(1, 30).annotations({
      title: "Messages a second",
      description: "How many the bot may send; fewer where another program sends by the same bot. Default: 30."
    }),
    { exact: true }
  ),
  business: Schema.optionalWith(
    Schema.Boolean.annotations({
      title: "Business accounts",
      description:
        "Whether the bot also reads and answers the chats of Telegram Business accounts that are connected with it. Run setup after a change. Default: false."
    }),
    { exact: true }
  )
})
export type TelegramConfig = typeof TelegramConfig.Type

/** Whether the chats of business accounts are read and answered. */
export const isBusiness = ({ config }: Pick<Connection, "config">): boolean => config.business === true
