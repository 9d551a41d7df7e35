import { matchesSecret, type ProviderRequest } from "@parley/core"
import type { TelegramCredentials } from "../TelegramCredentials.js"

/**
 * Whether the request comes from Telegram: it has the secret token of `setWebhook`. Telegram does not sign requests
 * (docs/reference/telegram.md#signature).
 */
export const isSigned = ({ secret_token }: TelegramCredentials, { headers }: ProviderRequest): boolean =>
  matchesSecret(headers["x-telegram-bot-api-secret-token"] ?? "", secret_token)
