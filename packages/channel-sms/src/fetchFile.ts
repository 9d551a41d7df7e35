import type { HttpClientResponse } from "@effect/platform"
import { type FetchedFile, FileGone, type ProviderUnavailable, parseUrl } from "@parley/core"
import { fileOf, unavailable } from "@parley/provider-kit"
import { Effect } from "effect"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"

/** The hosts, with their subdomains, to which Twilio redirects for customers' files. */
const isFileHost = ({ host, protocol }: URL): boolean =>
  protocol === "https:" && ["twiliocdn.com", "amazonaws.com"].some((one) => host === one || host.endsWith(`.${one}`))

const maxRedirects = 3

/**
 * Fetches a file by its URL at Twilio, which redirects to where the bytes are. The credentials go to Twilio's API only,
 * and only for files of this account.
 */
export const fetchFile = (
  twilio: TwilioApi,
  account: SmsAccount,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  opened(twilio, account, parseUrl(reference), maxRedirects).pipe(
    Effect.map((response) => fileOf(response, response.headers["content-type"] ?? null))
  )

const opened = (
  twilio: TwilioApi,
  account: SmsAccount,
  url: URL | null,
  redirects: number
): Effect.Effect<HttpClientResponse.HttpClientResponse, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    const isOfAccount = url !== null && twilio.isOfAccount(url, account)
    if (url === null || !(isOfAccount || (redirects < maxRedirects && (isFileHost(url) || twilio.isOfApi(url))))) {
      return yield* new FileGone({ reason: "a URL of another host" })
    }
    const response = yield* Effect.catchAll(twilio.open(url, isOfAccount ? account : null), ({ reason }) =>
      unavailable(reason)
    )
    const { headers, status } = response
    if (status === 200) return response
    const location = status >= 300 && status < 400 ? headers.location : undefined
    if (location !== undefined && redirects > 0) {
      return yield* opened(twilio, account, parseUrl(location, url.href), redirects - 1)
    }
    return yield* status === 404 || status === 410 || (status === 403 && !isOfAccount)
      ? new FileGone({ reason: `status ${status}` })
      : unavailable(`status ${status}`)
  })
