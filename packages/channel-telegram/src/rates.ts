import { type Connection, type SendRates, second } from "@parley/core"
import { Either, Schema } from "effect"
import { TelegramConfig } from "./TelegramConfig.js"

const readConfig = Schema.decodeUnknownEither(TelegramConfig)

/** Telegram's limits (channels.md): 30 a second unless the config says fewer, and one a second to one chat. */
export const rates = ({ config }: Pick<Connection, "config">): SendRates => {
  const { messages_per_second: messages = 30 } = Either.getOrElse(readConfig(config), (): TelegramConfig => ({}))
  return {
    // What goes at once counts into Telegram's second too: a tenth of it keeps the pace.
    connection: { messages, per: second, burst: Math.ceil(messages / 10) },
    // Telegram lets short bursts pass.
    recipient: { messages: 1, per: second, burst: 3 }
  }
}
