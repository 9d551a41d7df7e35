import { type HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { minute, parseUrl } from "@parley/core"
import {
  type ApiUrlsOptions,
  type Multipart,
  type VendorFailure,
  type VendorHttpOptions,
  vendorHttp
} from "@parley/provider-kit"
import type { Effect } from "effect"
import { type GraphError, graphErrorOf } from "./GraphError.js"
import { graphRetryAfter } from "./graphRetryAfter.js"

/** The options of a provider for Meta. */
export interface GraphOptions extends ApiUrlsOptions {
  /**
   * The base URL of the Graph API. Default: `https://graph.facebook.com`. Customers' files may be fetched from it too.
   */
  readonly graphUrl?: string
  /** The version of the Graph API. Default: {@link defaultApiVersion}. */
  readonly apiVersion?: string
  /** Default: one that uses the HTTP client of Node. A custom client must not follow redirects. */
  readonly httpClient?: HttpClient.HttpClient
}

/** Meta supports a version for about two years. */
export const defaultApiVersion = "v23.0"

/** Timeout of a call with a file, in ms. */
export const uploadTimeout = minute

export type GraphFailure = VendorFailure<GraphError>

/** Meta's Graph API. */
export interface GraphApi {
  /** Calls `<version><path>` and returns the JSON. */
  readonly call: (token: string, request: GraphRequest) => Effect.Effect<unknown, GraphFailure>
  /** Starts to read any URL, with the token if there is one. Returns after the headers, with any status. */
  readonly open: (url: string, token?: string) => Effect.Effect<HttpClientResponse.HttpClientResponse, GraphFailure>
  /** Whether a URL belongs to the Graph API, or is an https URL on a host that serves Meta's files. */
  readonly isMetas: (url: string, isFileHost: (host: string) => boolean) => boolean
}

/** A call: a POST if it has a body or a form, otherwise a GET. */
export interface GraphRequest {
  /** Such as `/1234/messages`. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  /** As JSON. */
  readonly body?: unknown
  /** With a file; has {@link uploadTimeout}. */
  readonly form?: Multipart
}

/** The Graph API. `providerCode` returns the name of an error for operators and logs. */
export const graphApi = (
  { apiVersion = defaultApiVersion, graphUrl = "https://graph.facebook.com", httpClient }: GraphOptions,
  providerCode: (error: Pick<GraphError, "code" | "subcode">) => string
): GraphApi => {
  const base = `${graphUrl.replace(/\/+$/, "")}/${apiVersion}`
  const { origin: graphOrigin } = new URL(graphUrl)
  const options: VendorHttpOptions<GraphError> = {
    httpClient,
    readError: (json, status) => {
      const error = status >= 200 && status < 300 ? null : graphErrorOf(json)
      return error && { ...error, providerCode: providerCode(error) }
    },
    readRetryAfter: graphRetryAfter
  }
  const http = vendorHttp(options)
  const uploads = vendorHttp({ ...options, timeoutMs: uploadTimeout })

  return {
    call: (token, { body, form, path, query = {} }) =>
      (form !== undefined
        ? HttpClientRequest.post(base + path).pipe(HttpClientRequest.bodyStream(form.bytes, form))
        : body === undefined
          ? HttpClientRequest.get(base + path)
          : HttpClientRequest.post(base + path).pipe(HttpClientRequest.bodyUnsafeJson(body))
      ).pipe(
        HttpClientRequest.setUrlParams(query),
        HttpClientRequest.bearerToken(token),
        (form === undefined ? http : uploads).json
      ),
    open: (url, token) => {
      const request = HttpClientRequest.get(url)
      return http.open(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
    },
    isMetas: (text, isFileHost) => {
      const url = parseUrl(text)
      return url !== null && (url.origin === graphOrigin || (url.protocol === "https:" && isFileHost(url.host)))
    }
  }
}
