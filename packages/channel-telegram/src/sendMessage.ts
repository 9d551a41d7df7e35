import type { OutboundMessage, SendOutcome } from "@parley/core"
import { sendOutcome } from "@parley/provider-kit"
import { type Effect, Option, Schema } from "effect"
import type { BotApi } from "./BotApi.js"
import { meaningOf } from "./Meaning.js"
import { messageIdOf } from "./messageId.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

const readResult = Schema.decodeUnknownOption(
  Schema.Struct({ message_id: Schema.Int, chat: Schema.Struct({ id: Schema.Int }) })
)

/**
 * Sends one message: `sendMessage`, without `parse_mode`, so that the text is sent unchanged
 * (docs/reference/telegram.md#send-request).
 */
export const sendMessage = (
  api: BotApi,
  credentials: TelegramCredentials,
  { body, to }: Pick<OutboundMessage, "body" | "to">
): Effect.Effect<SendOutcome> =>
  sendOutcome(api.call(credentials.bot_token, "sendMessage", { chat_id: to, text: body }), {
    messageId: (result) => Option.map(readResult(result), messageIdOf),
    meaningOf,
    credentials
  })
