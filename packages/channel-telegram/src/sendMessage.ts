import { type OutboundMessage, SendOutcome } from "@parley/core"
import { sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import type { BotApi } from "./BotApi.js"
import { meaningOf } from "./Meaning.js"
import { messageIdOf, messageNumberOf } from "./messageId.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

const readResult = Schema.decodeUnknownOption(
  Schema.Struct({ message_id: Schema.Int, chat: Schema.Struct({ id: Schema.Int }) })
)

type Sent = Pick<OutboundMessage, "body" | "content" | "id" | "quoted" | "to">

/** A call of the Bot API that sends a message. */
interface Call {
  readonly method: string
  readonly parameters: object
  /** Of calls whose result has no message id. */
  readonly providerMessageId?: string
}

/**
 * Sends one message by one call: a text without `parse_mode`, so that it is sent unchanged
 * (docs/reference/telegram.md#send-request).
 */
export const sendMessage = (
  api: BotApi,
  credentials: TelegramCredentials,
  message: Sent
): Effect.Effect<SendOutcome> => {
  const call = callOf(message)
  if (typeof call === "string") return Effect.succeed(rejected(call))
  const { method, parameters, providerMessageId } = call
  return sendOutcome(api.call(credentials.bot_token, method, { chat_id: message.to, ...parameters }), {
    messageId: (result) =>
      providerMessageId === undefined
        ? Option.map(readResult(result), messageIdOf)
        : Option.liftPredicate(providerMessageId, () => result === true),
    meaningOf,
    credentials
  })
}

/** The call for a message, or why it cannot be sent. */
const callOf = ({ body, content = null, id, quoted = null, to }: Sent): Call | string => {
  const message_id = quoted === null ? null : messageNumberOf(to, quoted)
  const reply = message_id === null ? {} : { reply_parameters: { message_id, allow_sending_without_reply: true } }
  switch (content?.type) {
    case undefined:
      return { method: "sendMessage", parameters: { text: body, ...reply } }
    case "choices": {
      const inline_keyboard = content.options.map(({ id, title }) => [{ text: title, callback_data: id }])
      return { method: "sendMessage", parameters: { text: body, reply_markup: { inline_keyboard }, ...reply } }
    }
    case "location": {
      const { address, latitude, longitude, name } = content
      const place = { latitude, longitude, ...reply }
      const title = name ?? address
      return title === null
        ? { method: "sendLocation", parameters: place }
        : // A venue needs both.
          { method: "sendVenue", parameters: { ...place, title, address: address ?? `${latitude}, ${longitude}` } }
    }
    case "reaction": {
      if (message_id === null) return "The message is none of this chat that can have a reaction."
      const reaction = content.emoji === null ? [] : [{ type: "emoji", emoji: content.emoji }]
      return {
        method: "setMessageReaction",
        parameters: { message_id, reaction },
        providerMessageId: `${to}:${message_id}:reaction:${id}`
      }
    }
    default:
      return `Telegram takes no message of the type ${content?.type}.`
  }
}

const rejected = (providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope: "message", code: "provider_error", providerCode: "unsupported", providerMessage })
