import type { SendOutcome } from "@parley/core"
import type { BotError } from "./BotError.js"

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>

/** What an error of Telegram's means for a message. */
export type Meaning =
  | (Pick<Rejected, "scope" | "optOut"> & {
      readonly kind: "rejected"
      /** In our own words. */
      readonly words: string
    })
  | { readonly kind: "moved"; readonly handle: string }
  | { readonly kind: "throttled" }
  | { readonly kind: "unfinished" }

type Rejection = Extract<Meaning, { readonly kind: "rejected" }>

const account = (words: string): Rejection => ({ kind: "rejected", scope: "connection", words })
const recipient = (words: string): Rejection => ({ kind: "rejected", scope: "recipient", words })
const message = (words: string): Rejection => ({ kind: "rejected", scope: "message", words })

const anyWords = /^/

/**
 * What each error means, the first that fits (channels.md, Telegram). Telegram has no codes of its own beside those of HTTP: its
 * words alone tell one 400 and one 403 from the other. Those marked (M) are not in channels.md.
 */
const meanings: ReadonlyArray<readonly [code: number, words: RegExp, meaning: Rejection]> = [
  [401, anyWords, account("The bot's token is not valid any more.")],
  [404, anyWords, account("Telegram knows no bot of this token.")],
  [403, /blocked by the user/i, { ...recipient("The customer has blocked the bot."), optOut: "all" }],
  [403, /initiate conversation/i, recipient("The customer has not started the bot.")], // (M)
  [403, /user is deactivated/i, recipient("The customer's account at Telegram is deleted.")], // (M)
  [403, anyWords, recipient("The bot may not write to this chat.")],
  [400, /chat not found/i, recipient("Telegram knows no such chat, or the customer has not started the bot.")],
  [400, /user not found|PEER_ID_INVALID|chat_id is empty/i, recipient("Telegram knows no such chat.")], // (M)
  [400, /group chat was (deactivated|deleted)/i, recipient("The group is no more.")], // (M)
  [400, /rights to send|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED/i, recipient("The bot may not write to this chat.")], // (M)
  [400, /message is too long/i, message("The text is longer than Telegram takes.")],
  [400, /text is empty|text must be non-empty/i, message("The text is empty to Telegram.")] // (M)
]

/** The one meaning of an error. */
export const meaningOf = ({ code, description, movedTo }: BotError): Meaning => {
  if (movedTo !== null) return { kind: "moved", handle: movedTo }
  if (code === 429) return { kind: "throttled" }
  if (code >= 500) return { kind: "unfinished" }
  const [, , meaning] = meanings.find(([known, words]) => known === code && words.test(description)) ?? []
  return meaning ?? message("Telegram did not take the message.")
}
