import type { HttpClient } from "@effect/platform"

/** How `messenger()` reaches Meta. Every field may be left out. */
export interface MessengerOptions {
  /** Where the Graph API is. Default: `https://graph.facebook.com`. Customers' files are fetched from there too. */
  readonly graphUrl?: string
  /** Of the Graph API. Default: {@link defaultApiVersion}. */
  readonly apiVersion?: string
  /** Default: one of `fetch`. One of your own must not follow redirects. */
  readonly httpClient?: HttpClient.HttpClient
}

/** Meta keeps a version for about two years. */
export const defaultApiVersion = "v23.0"
