import type { HttpClient } from "@effect/platform"
import type { ApiUrlsOptions } from "@parley/provider-kit"

/** The options of `telegram()`. */
export interface TelegramOptions extends ApiUrlsOptions {
  /** The base URL of the Bot API. Default: `https://api.telegram.org`. */
  readonly apiUrl?: string
  /**
   * Default: one that uses the HTTP client of Node. A custom client must not follow redirects, and must not log URLs,
   * which contain the bot's token.
   */
  readonly httpClient?: HttpClient.HttpClient
}
