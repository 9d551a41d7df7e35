import { type FetchedFile, FileGone, ProviderUnavailable } from "@parley/core"
import { fileOf, unavailable } from "@parley/provider-kit"
import { Effect, Schema } from "effect"
import type { BotApi, BotFailure } from "./BotApi.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

/** The path of a file at Telegram, such as `photos/file_7.jpg`. It is appended to a URL that contains the token. */
const FilePath = Schema.String.pipe(Schema.pattern(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/))
const readFile = Schema.decodeUnknown(Schema.Struct({ file_path: FilePath }))

/**
 * Fetches a file by its `file_id`: `getFile` returns its path, which is valid for an hour. The message already had the
 * name and the type.
 */
export const fetchFile = (
  api: BotApi,
  { bot_token: token }: TelegramCredentials,
  reference: string
): Effect.Effect<FetchedFile, ProviderUnavailable | FileGone> =>
  Effect.gen(function* () {
    const result = yield* Effect.mapError(api.call(token, "getFile", { file_id: reference }), fileFailure)
    const { file_path } = yield* Effect.orElse(readFile(result), () => unavailable("an answer without a path"))
    const response = yield* Effect.catchAll(api.open(token, file_path), ({ reason }) => unavailable(reason))
    if (response.status !== 200) return yield* unavailable(`status ${response.status} for the file`)
    return fileOf(response, null)
  })

/** The failure is classified by the description (docs/reference/telegram.md#files). */
const fileFailure = (failure: BotFailure): ProviderUnavailable | FileGone => {
  const { code, message } = (failure._tag === "Refused" ? failure.error : null) ?? { code: 0, message: "" }
  if (code === 400 && /file is too big/i.test(message)) {
    return new FileGone({ reason: "it has more than the 20 MB that bots may fetch" })
  }
  // Except `wrong file_id or the file is temporarily unavailable`.
  return code === 400 && !/temporarily/i.test(message)
    ? new FileGone({ reason: failure.reason })
    : new ProviderUnavailable({ reason: failure.reason })
}
