import { type Connection, type SendRates, second } from "@parley/core"
import { Either, Schema } from "effect"
import { MessengerConfig } from "./MessengerConfig.js"

const readConfig = Schema.decodeUnknownEither(MessengerConfig)

/** Meta's limit of 300 a second (channels.md) where the config has no other. */
export const rates = ({ config }: Connection): SendRates => {
  const { messages_per_second: messages = 300 } = Either.getOrElse(
    readConfig(config),
    (): Partial<MessengerConfig> => ({})
  )
  // What goes at once counts into Meta's second too: a tenth of it keeps the pace.
  return { connection: { messages, per: second, burst: Math.ceil(messages / 10) }, recipient: null }
}
