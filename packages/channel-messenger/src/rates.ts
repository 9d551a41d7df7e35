import type { Connection, SendRates } from "@parley/core"
import { ratePerSecond } from "@parley/provider-kit"
import { Either, Schema } from "effect"
import { MessengerConfig } from "./MessengerConfig.js"

const readConfig = Schema.decodeUnknownEither(MessengerConfig)

/** Meta's limit of 300 messages/s, unless the config has another one (docs/reference/messenger.md#rates). */
export const rates = ({ config }: Connection): SendRates => {
  const { messages_per_second: messages = 300 } = Either.getOrElse(
    readConfig(config),
    (): Partial<MessengerConfig> => ({})
  )
  return { connection: ratePerSecond(messages), recipient: null }
}
