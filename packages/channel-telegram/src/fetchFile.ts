import { type FetchedFile, FileGone, ProviderUnavailable, second } from "@parley/core"
import { Duration, Effect, Schema, Stream } from "effect"
import type { BotApi, BotFailure } from "./BotApi.js"
import { failureReason } from "./failureReason.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

/** Where a file lies at Telegram, such as `photos/file_7.jpg`: it goes into a URL behind the token. */
const FilePath = Schema.String.pipe(Schema.pattern(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/))
const readFile = Schema.decodeUnknown(Schema.Struct({ file_path: FilePath }))

/** How long a file may stand still on its way. */
const patience = 30 * second

/**
 * A file by its `file_id`: `getFile` tells its path, which is good for an hour. What it is called and what it is the message
 * told already.
 */
export const fetchFile = (
  api: BotApi,
  { bot_token: token }: TelegramCredentials,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    const result = yield* Effect.mapError(api.call(token, "getFile", { file_id: reference }), fileFailure)
    const { file_path } = yield* Effect.mapError(readFile(result), () => unavailable("an answer without a path"))
    const response = yield* Effect.mapError(api.open(token, file_path), (failure) =>
      unavailable(failureReason(failure))
    )
    if (response.status !== 200) return yield* unavailable(`status ${response.status} for the file`)
    return {
      contentType: null,
      fileName: null,
      bytes: response.stream.pipe(
        Stream.mapError(() => unavailable("the file broke off")),
        Stream.timeoutFail(() => unavailable("the file stood still"), Duration.millis(patience))
      )
    }
  })

const unavailable = (reason: string): ProviderUnavailable => new ProviderUnavailable({ reason })

/** By Telegram's words, which alone tell (M). */
const fileFailure = (failure: BotFailure): ProviderUnavailable | FileGone => {
  const { code, description } = (failure._tag === "Refused" ? failure.error : null) ?? { code: 0, description: "" }
  if (code === 400 && /file is too big/i.test(description)) {
    return new FileGone({ reason: "it has more than the 20 MB that bots may fetch" })
  }
  // Not `wrong file_id or the file is temporarily unavailable`.
  return code === 400 && !/temporarily/i.test(description)
    ? new FileGone({ reason: failureReason(failure) })
    : unavailable(failureReason(failure))
}
