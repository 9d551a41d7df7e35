import { randomBytes } from "node:crypto"
import { HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { second } from "@parley/core"
import { multipart, type Upload, type VendorFailure, vendorHttp } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { type BotError, botErrorOf } from "./BotError.js"
import type { TelegramOptions } from "./TelegramOptions.js"

export type BotFailure = VendorFailure<BotError>

/** Telegram's Bot API. Its URLs contain the bot's token, so that no error and no span of this module contains a URL. */
export interface BotApi {
  /** Calls a method, such as `getMe`, and returns its `result`. */
  readonly call: (token: string, method: string, parameters?: object) => Effect.Effect<unknown, BotFailure>
  /** Calls a method with a file, such as `sendPhoto`. A call whose file was not read to its end is `Unreachable`. */
  readonly upload: (
    token: string,
    method: string,
    parameters: object,
    file: Upload
  ) => Effect.Effect<unknown, BotFailure>
  /** Starts to read a file by its path. Returns after the headers, with any status. */
  readonly open: (token: string, path: string) => Effect.Effect<HttpClientResponse.HttpClientResponse, BotFailure>
}

const readResult = Schema.decodeUnknownOption(Schema.Struct({ ok: Schema.Literal(true), result: Schema.Unknown }))

/** Timeout of an upload, in ms. */
export const uploadTimeout = 55 * second

export const botApi = ({ apiUrl = "https://api.telegram.org", httpClient }: TelegramOptions): BotApi => {
  const base = apiUrl.replace(/\/+$/, "")
  const http = vendorHttp<BotError>({ httpClient, readError: botErrorOf })
  const uploads = vendorHttp<BotError>({ httpClient, readError: botErrorOf, timeoutMs: uploadTimeout })

  return {
    call: (token, method, parameters = {}) =>
      HttpClientRequest.post(`${base}/bot${token}/${method}`).pipe(
        HttpClientRequest.bodyUnsafeJson(parameters),
        http.json,
        Effect.flatMap(resultOf)
      ),
    upload: (token, method, parameters, file) =>
      Effect.suspend(() => {
        const { bytes, contentType, isComplete } = multipart(parameters, file, randomBytes(16).toString("hex"))
        return HttpClientRequest.post(`${base}/bot${token}/${method}`).pipe(
          HttpClientRequest.bodyStream(bytes, { contentType }),
          uploads.json,
          Effect.mapError((failure) =>
            failure._tag === "Unanswered" && !isComplete() ? { ...failure, _tag: "Unreachable" as const } : failure
          ),
          Effect.flatMap(resultOf)
        )
      }),
    open: (token, path) => http.open(HttpClientRequest.get(`${base}/file/bot${token}/${path}`))
  }
}

const resultOf = (json: unknown): Effect.Effect<unknown, BotFailure> =>
  Option.match(readResult(json), {
    onNone: () => Effect.fail({ _tag: "Unanswered" as const, reason: "an answer that cannot be read" }),
    onSome: ({ result }) => Effect.succeed(result)
  })
