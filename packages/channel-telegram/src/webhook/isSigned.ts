import { matchesSecret, type ProviderRequest } from "@parley/core"
import type { TelegramCredentials } from "../TelegramCredentials.js"

/** Whether Telegram sent this: it repeats the secret that `setWebhook` gave it, and signs nothing (channels.md). */
export const isSigned = ({ secret_token }: TelegramCredentials, { headers }: ProviderRequest): boolean =>
  matchesSecret(headers["x-telegram-bot-api-secret-token"] ?? "", secret_token)
