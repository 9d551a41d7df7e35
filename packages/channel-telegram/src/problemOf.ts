import { withoutSecrets } from "@parley/provider-kit"
import type { BotFailure } from "./BotApi.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

/** What an operator has to do after a failed call. */
export const problemOf = (failure: BotFailure, credentials: TelegramCredentials): string => {
  if (failure._tag !== "Refused" || failure.error === null) {
    return `Telegram could not be asked: ${failure.reason}.`
  }
  const { code, message } = failure.error
  if (code === 401 || code === 404) {
    return "Telegram does not take the bot_token: it is wrong or was revoked. BotFather shows the present one."
  }
  return code === 429 || code >= 500
    ? `Telegram cannot answer for now: status ${code}. Try again later.`
    : `Telegram refused: ${withoutSecrets(message, credentials)}.`
}
