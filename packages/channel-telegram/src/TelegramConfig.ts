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
  business_connections: Schema.optionalWith(
    Schema.Array(Schema.String.pipe(Schema.pattern(/^[\w-]{1,100}$/))).pipe(
      Schema.maxItems(20),
      Schema.annotations({
        title: "Business connections",
        description:
          "Ids of the Telegram Business connections whose chats the bot also reads and answers. An empty list asks for none yet: the notice of a new connection names its id. Run setup after the setting is first given."
      })
    ),
    { exact: true }
  )
})
export type TelegramConfig = typeof TelegramConfig.Type

/**
 * The ids of the business connections whose chats are read and answered; null if Telegram is not asked for those of
 * any. Everyone can connect a bot with their account, so the chats of all others are left out.
 */
export const businessConnectionsOf = ({ config }: Pick<Connection, "config">): ReadonlyArray<string> | null =>
  Array.isArray(config.business_connections) ? config.business_connections : null

/** Whether Telegram is asked for the updates of business accounts. */
export const isBusiness = (connection: Pick<Connection, "config">): boolean =>
  businessConnectionsOf(connection) !== null
