import { type Connection, type SendRates, second } from "@parley/core"
import { ratePerSecond } from "@parley/provider-kit"
import { Either, Schema } from "effect"
import { WhatsAppConfig } from "./WhatsAppConfig.js"

const readConfig = Schema.decodeUnknownEither(WhatsAppConfig)

/**
 * Meta's limits, unless the config has others (docs/reference/whatsapp.md#rates): 80 messages/s, and one in 6 s to one
 * person with a burst of 45.
 */
export const rates = ({ config }: Connection): SendRates => {
  const {
    messages_per_second: messages = 80,
    recipient_burst = 45,
    recipient_every_ms = 6 * second
  } = Either.getOrElse(readConfig(config), (): Partial<WhatsAppConfig> => ({}))
  return {
    connection: ratePerSecond(messages),
    recipient: { messages: 1, per: recipient_every_ms, burst: recipient_burst }
  }
}
