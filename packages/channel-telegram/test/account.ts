import type { Account, TelegramBot } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"

/** A connection to a bot of the fake, as an operator enters it. */
export const accountOf = ({ token, username }: TelegramBot): Account => {
  const credentials = { bot_token: token, secret_token: `secret-token-of-${username}` }
  return {
    connection: aConnection({
      id: `01900000-0000-7000-8000-0000000000b${token.replace(/:.*/, "").slice(-1)}`,
      channel: "telegram",
      provider: "telegram",
      handle: `@${username.toLowerCase()}`,
      config: {}
    }),
    credentials,
    secrets: Object.values(credentials)
  }
}
