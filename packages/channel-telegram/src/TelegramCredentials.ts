import { randomBytes } from "node:crypto"
import { withMessage } from "@parley/core"
import { Schema } from "effect"

/** The token is part of URLs: surrounding white space, as from pasting, is removed. */
const botToken = Schema.Trim.pipe(
  Schema.pattern(/^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$/),
  withMessage("must be a bot's token as BotFather shows it: digits, a colon, and letters")
)

/** Telegram's format of a secret token, which is sent in a header. */
const secretToken = Schema.Trim.pipe(
  Schema.pattern(/^[A-Za-z0-9_-]{16,256}$/),
  withMessage("must be 16 to 256 letters, digits, _ and -")
)

/** The `credentials` of a connection (docs/channels/telegram.md). */
export const TelegramCredentials = Schema.Struct({
  bot_token: botToken.annotations({
    title: "Bot token",
    description: "From BotFather. Grants full control of the bot."
  }),
  secret_token: Schema.optionalWith(secretToken, {
    default: () => randomBytes(32).toString("base64url")
  }).annotations({
    title: "Secret token",
    description: "Proves that Telegram sent what comes to the webhook. Made by itself where it is left out."
  })
})
export type TelegramCredentials = typeof TelegramCredentials.Type
