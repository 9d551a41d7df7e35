import { type Meaning, type Rejection, rejection } from "@parley/provider-kit"
import type { BotError } from "./BotError.js"

const account = (message: string) => rejection("connection", message)
const recipient = (message: string) => rejection("recipient", message)
const message = (message: string) => rejection("message", message)

const anyMessage = /^/

/**
 * The meaning of each error; the first match applies (docs/reference/telegram.md#error-codes). Telegram uses HTTP
 * status codes only: errors with code 400 or 403 are distinguished by their description.
 */
const meanings: ReadonlyArray<readonly [code: number, description: RegExp, meaning: Rejection]> = [
  [401, anyMessage, account("The bot's token is not valid any more.")],
  [404, anyMessage, account("Telegram knows no bot of this token.")],
  [403, /blocked by the user/i, { ...recipient("The customer has blocked the bot."), optOut: "all" }],
  [403, /initiate conversation/i, recipient("The customer has not started the bot.")],
  [403, /user is deactivated/i, recipient("The customer's account at Telegram is deleted.")],
  [403, anyMessage, recipient("The bot may not write to this chat.")],
  [400, /chat not found/i, recipient("Telegram knows no such chat, or the customer has not started the bot.")],
  [400, /user not found|PEER_ID_INVALID|chat_id is empty/i, recipient("Telegram knows no such chat.")],
  [400, /group chat was (deactivated|deleted)/i, recipient("The group is no more.")],
  [400, /rights to send|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED/i, recipient("The bot may not write to this chat.")],
  [400, /BUSINESS_PEER_USAGE_MISSING/, recipient("The customer has not written to the business account for 24 hours.")],
  [400, /BUSINESS_/, message("The business account is not connected with the bot, or does not let it answer.")],
  [400, /message is too long/i, message("The text is longer than Telegram takes.")],
  [413, anyMessage, message("The file is larger than Telegram takes.")],
  [400, /caption is too long/i, message("The caption is longer than Telegram takes.")],
  [400, /REACTION_INVALID/, message("Telegram takes certain emoji only as a reaction.")],
  [400, /text is empty|text must be non-empty/i, message("The text is empty to Telegram.")]
]

/** The meaning of an error. */
export const meaningOf = ({ code, message: said, movedTo }: BotError): Meaning => {
  if (movedTo !== null) return { kind: "moved", handle: movedTo }
  if (code === 429) return { kind: "throttled" }
  if (code >= 500) return { kind: "transient" }
  const [, , meaning] = meanings.find(([known, message]) => known === code && message.test(said)) ?? []
  return meaning ?? message("Telegram did not take the message.")
}
