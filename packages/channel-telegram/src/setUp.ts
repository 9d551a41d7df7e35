import type { CheckOutcome } from "@parley/core"
import { Effect } from "effect"
import type { BotApi } from "./BotApi.js"
import { problemOf } from "./problemOf.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

const updates = ["message", "edited_message", "callback_query", "my_chat_member", "message_reaction"]

const businessUpdates = [
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages"
]

/** The kinds of updates that Telegram is asked for. `business`: whether chats of business accounts are read. */
export const allowedUpdates = (business: boolean): ReadonlyArray<string> =>
  business ? [...updates, ...businessUpdates] : updates

/**
 * Sets the bot's webhook URL, replacing any other: `setWebhook`. Telegram does not test the URL before the first
 * update.
 */
export const setUp = (
  api: BotApi,
  credentials: TelegramCredentials,
  webhookUrl: string,
  business: boolean
): Effect.Effect<CheckOutcome> => {
  const { bot_token, secret_token } = credentials
  const allowed_updates = allowedUpdates(business)
  return api.call(bot_token, "setWebhook", { url: webhookUrl, secret_token, allowed_updates }).pipe(
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
