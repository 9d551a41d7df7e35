import { type Connection, type SendRates, second } from "@parley/core"
import { ratePerSecond } from "@parley/provider-kit"
import { Either, Schema } from "effect"
import { TelegramConfig } from "./TelegramConfig.js"

const readConfig = Schema.decodeUnknownEither(TelegramConfig)

/**
 * Telegram's limits: 30 messages/s unless the config has fewer, and 1 message/s for one chat
 * (docs/reference/telegram.md#rates).
 */
export const rates = ({ config }: Pick<Connection, "config">): SendRates => {
  const { messages_per_second: messages = 30 } = Either.getOrElse(readConfig(config), (): TelegramConfig => ({}))
  return {
    connection: ratePerSecond(messages),
    // Telegram accepts short bursts.
    recipient: { messages: 1, per: second, burst: 3 }
  }
}
