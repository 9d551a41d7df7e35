import { type OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import type { BotApi, BotFailure, Refused } from "./BotApi.js"
import { meaningOf } from "./Meaning.js"
import { messageIdOf } from "./messageId.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"
import { withoutSecrets } from "./withoutSecrets.js"

const readResult = Schema.decodeUnknownOption(
  Schema.Struct({ message_id: Schema.Int, chat: Schema.Struct({ id: Schema.Int }) })
)

/** Hands one message to Telegram: `sendMessage`, without a `parse_mode`, so that a text is what it is (channels.md). */
export const sendMessage = (
  api: BotApi,
  credentials: TelegramCredentials,
  { body, to }: Pick<OutboundMessage, "body" | "to">
): Effect.Effect<SendOutcome> =>
  api.call(credentials.bot_token, "sendMessage", { chat_id: to, text: body }).pipe(
    Effect.match({
      onSuccess: (result) =>
        Option.match(readResult(result), {
          onSome: (message) => SendOutcome.Accepted({ providerMessageId: messageIdOf(message), receipts: [] }),
          onNone: () => SendOutcome.Unknown({ reason: "an answer without a message id" })
        }),
      onFailure: (failure) => outcomeOf(failure, credentials)
    })
  )

const outcomeOf = (failure: BotFailure, credentials: TelegramCredentials): SendOutcome => {
  switch (failure._tag) {
    case "Unreachable":
      return SendOutcome.Transient({ reason: failure.reason })
    case "Unanswered":
      return SendOutcome.Unknown({ reason: failure.reason })
    case "Refused":
      return outcomeOfRefusal(failure, credentials)
  }
}

const outcomeOfRefusal = ({ error, status }: Refused, credentials: TelegramCredentials): SendOutcome => {
  const reason = `status ${status}`
  // A refusal that is not the Bot API's own, such as a proxy's, says nothing of the message.
  if (error === null) {
    if (status === 429) return SendOutcome.Throttled({ retryAfterMs: null })
    return status >= 500 ? SendOutcome.Unknown({ reason }) : SendOutcome.Transient({ reason })
  }
  const meaning = meaningOf(error)
  switch (meaning.kind) {
    case "moved":
      return SendOutcome.Moved({ handle: meaning.handle })
    case "throttled":
      // Whether it is the bot or the chat that is too fast, Telegram does not say.
      return SendOutcome.Throttled({ retryAfterMs: error.retryAfterMs })
    case "unfinished":
      return SendOutcome.Unknown({ reason })
    case "rejected": {
      const { optOut, scope, words } = meaning
      return SendOutcome.Rejected({
        scope,
        code: "provider_error",
        providerCode: String(error.code),
        providerMessage: withoutSecrets(error.description, credentials).slice(0, longestWords) || words,
        ...(optOut === undefined ? {} : { optOut })
      })
    }
  }
}

/** How much is kept of what Telegram says, in characters. */
const longestWords = 1_000
