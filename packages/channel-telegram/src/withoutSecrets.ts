import type { TelegramCredentials } from "./TelegramCredentials.js"

/** What Telegram says goes nowhere before the credentials are out of it. */
export const withoutSecrets = (words: string, credentials: TelegramCredentials): string =>
  Object.values(credentials).reduce((rest, secret) => rest.replaceAll(secret, "…"), words)
