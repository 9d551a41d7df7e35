import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { failedBeforeSending, requestFailure, second, timeoutTo } from "@parley/core"
import { Effect, Option } from "effect"
import { nodeHttpClient } from "./nodeHttpClient.js"
import type { VendorError, VendorFailure } from "./VendorFailure.js"

type Response = HttpClientResponse.HttpClientResponse
type Headers = { readonly [name: string]: string | undefined }

/** The options for calls of a vendor's HTTP interface. */
export interface VendorHttpOptions<E> {
  /** Default: {@link nodeHttpClient}. A custom client must not follow redirects. */
  readonly httpClient: HttpClient.HttpClient | undefined
  /** The vendor's error in the JSON of an answer (null if it is not JSON); null if absent. */
  readonly readError: (json: unknown, status: number) => E | null
  /** How long the headers of an error ask to wait, in ms. Default: {@link retryAfterHeader}. */
  readonly readRetryAfter?: (headers: Headers) => number | null
  /** The time limit of a call, in ms. Default: {@link callTimeout}. */
  readonly timeoutMs?: number
}

/**
 * A vendor's HTTP interface. Requests are not traced, since a span would contain the URL and the token. Redirects are
 * not followed.
 */
export interface VendorHttp<E> {
  /** The JSON of an answer with a 2xx status and no error. */
  readonly json: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<unknown, VendorFailure<E>>
  /** Returns after the headers, with any status. */
  readonly open: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<Response, VendorFailure<never>>
}

/**
 * Default timeout of a call, in ms. Longer than the connect timeout of `nodeRequest`, so that a request that was never
 * sent is reported as `Unreachable`.
 */
export const callTimeout = 30 * second

/** Calls a vendor. Distinguishes failures that certainly did not reach the vendor from those that may have. */
export const vendorHttp = <E extends VendorError>({
  httpClient = nodeHttpClient,
  readError,
  readRetryAfter = retryAfterHeader,
  timeoutMs = callTimeout
}: VendorHttpOptions<E>): VendorHttp<E> => {
  const withTimeout = timeoutTo(timeoutMs, Effect.fail(unanswered("no answer in time")))
  const client = HttpClient.withTracerDisabledWhen(httpClient, () => true)

  const execute = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<Response, VendorFailure<never>> =>
    Effect.mapError(client.execute(request), ({ cause, reason }) =>
      reason === "Encode" || reason === "InvalidUrl" || failedBeforeSending(cause)
        ? { _tag: "Unreachable" as const, reason: requestFailure(cause) }
        : unanswered(requestFailure(cause))
    )

  const jsonOf = (response: Response): Effect.Effect<unknown, VendorFailure<E>> =>
    Effect.flatMap(Effect.option(response.json), (json): Effect.Effect<unknown, VendorFailure<E>> => {
      const { headers, status } = response
      const error = readError(Option.getOrNull(json), status)
      if (error === null && status >= 200 && status < 300) {
        return Effect.mapError(json, () => unanswered("an answer that cannot be read"))
      }
      const code = error?.providerCode ?? String(status)
      return Effect.fail({
        _tag: "Refused",
        status,
        error,
        retryAfterMs: error?.retryAfterMs ?? readRetryAfter(headers),
        reason: code === String(status) ? `status ${status}` : `status ${status}, error ${code}`
      })
    })

  return {
    json: (request) => execute(request).pipe(Effect.flatMap(jsonOf), withTimeout),
    open: (request) => withTimeout(execute(request))
  }
}

const unanswered = (reason: string) => ({ _tag: "Unanswered" as const, reason })

/** The seconds of `Retry-After`, in ms; null if it is absent or a date. */
export const retryAfterHeader = (headers: Headers): number | null => {
  const seconds = headers["retry-after"]
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * second : null
}
