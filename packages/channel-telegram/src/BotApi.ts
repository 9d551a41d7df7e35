import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { neverSent, requestFailure, second } from "@parley/core"
import { Data, Duration, Effect, Layer, Option, Schema } from "effect"
import { type BotError, botErrorOf } from "./BotError.js"
import type { TelegramOptions } from "./TelegramOptions.js"

/** The request certainly did not reach Telegram. `reason` never has anything of the request in it. */
export class Unreachable extends Data.TaggedError("Unreachable")<{ readonly reason: string }> {}

/** The request went out, and no answer came that can be read: Telegram may have done what it asks. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly reason: string }> {}

/** Telegram answered with an error, or something in between did. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  /** Null where the answer is not one of the Bot API. */
  readonly error: BotError | null
}> {}

/** Why a call brought nothing. */
export type BotFailure = Unreachable | Unanswered | Refused

/** Telegram's Bot API. The bot's token is in its URLs, which therefore leave this file in no error and no span. */
export interface BotApi {
  /** Calls a method, such as `getMe`; answers its `result`. */
  readonly call: (token: string, method: string, parameters?: object) => Effect.Effect<unknown, BotFailure>
  /** Begins to read a file by its path; answers as soon as the headers are there, whatever the status is. */
  readonly open: (token: string, path: string) => Effect.Effect<HttpClientResponse.HttpClientResponse, BotFailure>
}

/** Longer than `fetch` tries to connect, so that what never went out is known to be so. */
const patience = 30 * second

export const botApi = ({ apiUrl = "https://api.telegram.org", httpClient }: TelegramOptions): BotApi => {
  const client = httpClient === undefined ? FetchHttpClient.layer : Layer.succeed(HttpClient.HttpClient, httpClient)
  const base = apiUrl.replace(/\/+$/, "")

  const execute = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(HttpClient.HttpClient, (http) =>
      HttpClient.withTracerDisabledWhen(http, () => true).execute(request)
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
    call: (token, method, parameters = {}) =>
      execute(
        HttpClientRequest.post(`${base}/bot${token}/${method}`).pipe(HttpClientRequest.bodyUnsafeJson(parameters))
      ).pipe(Effect.flatMap(resultOf), withPatience),
    open: (token, path) => execute(HttpClientRequest.get(`${base}/file/bot${token}/${path}`)).pipe(withPatience)
  }
}

const withPatience = <A>(answer: Effect.Effect<A, BotFailure>): Effect.Effect<A, BotFailure> =>
  Effect.timeoutFail(answer, {
    duration: Duration.millis(patience),
    onTimeout: () => new Unanswered({ reason: "no answer in time" })
  })

const readResult = Schema.decodeUnknownOption(Schema.Struct({ ok: Schema.Literal(true), result: Schema.Unknown }))

/** The `result` of an answer that is none of an error. */
const resultOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, Unanswered | Refused> =>
  response.json.pipe(
    Effect.orElseSucceed(() => null),
    Effect.flatMap((json): Effect.Effect<unknown, Unanswered | Refused> => {
      const { status } = response
      const error = botErrorOf(json)
      if (error !== null || status < 200 || status >= 300) return Effect.fail(new Refused({ status, error }))
      return Option.match(readResult(json), {
        onNone: () => Effect.fail(new Unanswered({ reason: "an answer that cannot be read" })),
        onSome: ({ result }) => Effect.succeed(result)
      })
    })
  )
