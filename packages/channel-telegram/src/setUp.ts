import type { CheckOutcome } from "@parley/core"
import { Effect } from "effect"
import type { BotApi } from "./BotApi.js"
import { problemOf } from "./problemOf.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

/** The kinds of updates that Telegram is asked for. */
export const allowedUpdates: ReadonlyArray<string> = [
  "message",
  "edited_message",
  "callback_query",
  "my_chat_member",
  "message_reaction"
]

/**
 * Sets the bot's webhook URL, replacing any other: `setWebhook`. Telegram does not test the URL before the first
 * update.
 */
export const setUp = (
  api: BotApi,
  credentials: TelegramCredentials,
  webhookUrl: string
): Effect.Effect<CheckOutcome> => {
  const { bot_token, secret_token } = credentials
  return api.call(bot_token, "setWebhook", { url: webhookUrl, secret_token, allowed_updates: allowedUpdates }).pipe(
    Effect.match({
      onFailure: (failure): CheckOutcome => ({
        _tag: "Failing",
        problem:
          failure._tag === "Refused" && failure.error?.code === 400
            ? `${problemOf(failure, credentials)} ${wanted(webhookUrl)}`
            : problemOf(failure, credentials)
      }),
      onSuccess: (): CheckOutcome => ({
        _tag: "Working",
        detail: `Telegram calls ${webhookUrl}. Write to the bot, then check the connection: it says whether that went well.`
      })
    })
  )
}

const wanted = (webhookUrl: string): string =>
  `${webhookUrl} must reach this host from the internet, by https on port 443, 80, 88 or 8443.`
