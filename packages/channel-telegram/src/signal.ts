import { type CustomerSignal, ProviderUnavailable } from "@parley/core"
import { Effect } from "effect"
import type { BotApi } from "./BotApi.js"
import { businessIn, onBehalf } from "./messageId.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

/**
 * Shows for 5 s that the bot types: `sendChatAction`. Bots cannot mark messages as read
 * (docs/reference/telegram.md#typing).
 */
export const signal = (
  api: BotApi,
  { bot_token }: TelegramCredentials,
  { lastMessageId, to }: CustomerSignal,
  businessConnections: ReadonlyArray<string> | null
): Effect.Effect<void, ProviderUnavailable> =>
  api
    .call(bot_token, "sendChatAction", {
      chat_id: to,
      action: "typing",
      ...onBehalf(businessIn(lastMessageId, businessConnections))
    })
    .pipe(
      Effect.asVoid,
      Effect.mapError(({ reason }) => new ProviderUnavailable({ reason }))
    )
