import { type Connection, type SendRates, second } from "@parley/core"
import { Either, Schema } from "effect"
import { WhatsAppConfig } from "./WhatsAppConfig.js"

const readConfig = Schema.decodeUnknownEither(WhatsAppConfig)

/** Meta's limits (channels.md) where the config has no others: 80 a second, and to one person one in 6 s, 45 at once. */
export const rates = ({ config }: Connection): SendRates => {
  const {
    messages_per_second: messages = 80,
    recipient_burst = 45,
    recipient_every_ms = 6 * second
  } = Either.getOrElse(readConfig(config), (): Partial<WhatsAppConfig> => ({}))
  return {
    // What goes at once counts into Meta's second too: a tenth of it keeps the pace.
    connection: { messages, per: second, burst: Math.ceil(messages / 10) },
    recipient: { messages: 1, per: recipient_every_ms, burst: recipient_burst }
  }
}
