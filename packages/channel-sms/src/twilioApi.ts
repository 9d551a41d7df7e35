import { HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { type VendorFailure, vendorHttp } from "@parley/provider-kit"
import type { Effect } from "effect"
import type { SmsAccount } from "./SmsAccount.js"
import type { SmsOptions } from "./SmsOptions.js"
import { type TwilioError, twilioErrorOf } from "./TwilioError.js"

export type TwilioFailure = VendorFailure<TwilioError>

/** A call: a POST if it has a form, otherwise a GET. */
export interface TwilioRequest {
  /** Below the account, such as `/Messages.json`. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  /** As `application/x-www-form-urlencoded`. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
}

/** Twilio's API, version 2010-04-01. */
export interface TwilioApi {
  /** Calls a path below the account and returns the JSON. */
  readonly call: (account: SmsAccount, request: TwilioRequest) => Effect.Effect<unknown, TwilioFailure>
  /** Starts to read any URL, with the credentials of `account` if given. Returns after the headers, with any status. */
  readonly open: (
    url: URL,
    account: SmsAccount | null
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, TwilioFailure>
  /** The URL of a path below the account. */
  readonly urlOf: (account: SmsAccount, path: string) => string
  /** Whether the URL is one of the API's host. */
  readonly isOfApi: (url: URL) => boolean
  /** Whether the URL is one of the API below this account. */
  readonly isOfAccount: (url: URL, account: SmsAccount) => boolean
}

const version = "2010-04-01"

/** Twilio's API. */
export const twilioApi = ({ apiUrl = "https://api.twilio.com", httpClient }: SmsOptions): TwilioApi => {
  const base = apiUrl.replace(/\/+$/, "")
  const { origin } = new URL(apiUrl)
  const http = vendorHttp<TwilioError>({
    httpClient,
    readError: (json, status) => (status >= 200 && status < 300 ? null : twilioErrorOf(json))
  })
  const urlOf = ({ config }: SmsAccount, path: string) => `${base}/${version}/Accounts/${config.account_sid}${path}`
  const authenticated = (request: HttpClientRequest.HttpClientRequest, { config, credentials }: SmsAccount) =>
    HttpClientRequest.basicAuth(request, config.account_sid, credentials.auth_token)

  return {
    call: (account, { form, path, query = {} }) => {
      const url = urlOf(account, path)
      const request =
        form === undefined
          ? HttpClientRequest.get(url)
          : HttpClientRequest.bodyUrlParams(HttpClientRequest.post(url), form)
      return http.json(authenticated(HttpClientRequest.setUrlParams(request, query), account))
    },
    open: (url, account) => {
      const request = HttpClientRequest.get(url)
      return http.open(account === null ? request : authenticated(request, account))
    },
    urlOf,
    isOfApi: (url) => url.origin === origin,
    isOfAccount: ({ href }, account) => href.startsWith(urlOf(account, "/"))
  }
}
