import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { neverSent, requestFailure, second } from "@parley/core"
import { Data, Duration, Effect, Layer } from "effect"
import { type GraphError, graphErrorOf } from "./GraphError.js"
import { defaultApiVersion, type MessengerOptions } from "./MessengerOptions.js"
import { retryAfterMs } from "./retryAfterMs.js"

/** The request certainly did not reach Meta. `reason` never has anything of the request in it. */
export class Unreachable extends Data.TaggedError("Unreachable")<{ readonly reason: string }> {}

/** The request went out, and no answer came that can be read: Meta may have done what it asks. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly reason: string }> {}

/** Meta answered with an error, or something in between did. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  /** Null where the answer is not one of the Graph API. */
  readonly error: GraphError | null
  /** How long to wait, where the answer says so. */
  readonly retryAfterMs: number | null
}> {}

/** Why a call brought nothing. */
export type GraphFailure = Unreachable | Unanswered | Refused

/** Meta's Graph API. */
export interface GraphApi {
  /** Where it is, to tell its own URLs from others. */
  readonly origin: string
  /** Calls `<version><path>`; answers the JSON. */
  readonly call: (token: string, request: GraphRequest) => Effect.Effect<unknown, GraphFailure>
  /** Begins to read any URL, without a token; answers as soon as the headers are there, whatever the status is. */
  readonly open: (url: string) => Effect.Effect<HttpClientResponse.HttpClientResponse, GraphFailure>
}

/** A call: a GET, or a POST where it has a body. */
export interface GraphRequest {
  /** Such as `/1234/messages`. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  /** As JSON. */
  readonly body?: unknown
}

/** Longer than `fetch` tries to connect, so that what never went out is known to be so. */
const patience = 30 * second

/** Some of Meta's hosts refuse requests that do not name who asks. */
const userAgent = "Parley/1.0"

export const graphApi = ({
  apiVersion = defaultApiVersion,
  graphUrl = "https://graph.facebook.com",
  httpClient
}: MessengerOptions): GraphApi => {
  const client = httpClient === undefined ? FetchHttpClient.layer : Layer.succeed(HttpClient.HttpClient, httpClient)
  const base = `${graphUrl.replace(/\/+$/, "")}/${apiVersion}`

  const execute = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(HttpClient.HttpClient, (http) =>
      // A span would keep the request, with the token in it.
      HttpClient.withTracerDisabledWhen(http, () => true).execute(
        HttpClientRequest.setHeader(request, "user-agent", userAgent)
      )
    ).pipe(
      Effect.mapError(({ cause, reason }) =>
        reason === "Encode" || reason === "InvalidUrl" || neverSent(cause)
          ? new Unreachable({ reason: requestFailure(cause) })
          : new Unanswered({ reason: requestFailure(cause) })
      ),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.provide(client)
    )

  return {
    origin: new URL(graphUrl).origin,
    call: (token, { body, path, query = {} }) => {
      const url = HttpClientRequest.setUrlParams(query)
      const request =
        body === undefined
          ? HttpClientRequest.get(base + path).pipe(url)
          : HttpClientRequest.post(base + path).pipe(url, HttpClientRequest.bodyUnsafeJson(body))
      return execute(HttpClientRequest.bearerToken(request, token)).pipe(Effect.flatMap(jsonOf), withPatience)
    },
    open: (url) => execute(HttpClientRequest.get(url)).pipe(withPatience)
  }
}

const withPatience = <A>(answer: Effect.Effect<A, GraphFailure>): Effect.Effect<A, GraphFailure> =>
  Effect.timeoutFail(answer, {
    duration: Duration.millis(patience),
    onTimeout: () => new Unanswered({ reason: "no answer in time" })
  })

/** The JSON of an answer that is none of an error. */
const jsonOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, Unanswered | Refused> => {
  const { headers, status } = response
  if (status >= 200 && status < 300) {
    return Effect.mapError(response.json, () => new Unanswered({ reason: "an answer that cannot be read" }))
  }
  return response.json.pipe(
    Effect.orElseSucceed(() => null),
    Effect.flatMap((json) =>
      Effect.fail(new Refused({ status, error: graphErrorOf(json), retryAfterMs: retryAfterMs(headers) }))
    )
  )
}
