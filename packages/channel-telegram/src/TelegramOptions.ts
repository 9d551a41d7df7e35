import type { HttpClient } from "@effect/platform"

/** How `telegram()` reaches Telegram. Every field may be left out. */
export interface TelegramOptions {
  /** Where the Bot API is. Default: `https://api.telegram.org`. */
  readonly apiUrl?: string
  /** Default: one of `fetch`. One of your own must not follow redirects, nor write down URLs: the bot's token is in them. */
  readonly httpClient?: HttpClient.HttpClient
}
