import type { HttpClient } from "@effect/platform"
import type { ApiUrlsOptions } from "@parley/provider-kit"

/** The options of `sms()`. */
export interface SmsOptions extends ApiUrlsOptions {
  /** The base URL of Twilio's API. Default: `https://api.twilio.com`. Customers' files may be fetched from it too. */
  readonly apiUrl?: string
  /** Default: one that uses the HTTP client of Node. A custom client must not follow redirects. */
  readonly httpClient?: HttpClient.HttpClient
}
