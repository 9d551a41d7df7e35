import { Either } from "effect"

/** A customer's handle: the id of their private chat with the bot. The id of a group is negative. */
export const parseChatId = (text: string): Either.Either<string, string> =>
  /^-?[1-9][0-9]{0,15}$/.test(text)
    ? Either.right(text)
    : Either.left("must be the id of a chat at Telegram, such as 123456789; not a name or a number")

/** The bot's own handle: its username, case-insensitive. */
export const parseBotName = (text: string): Either.Either<string, string> =>
  /^@?[a-z][a-z0-9_]{3,31}$/i.test(text)
    ? Either.right(`@${text.replace("@", "").toLowerCase()}`)
    : Either.left("must be the bot's username, such as @acme_bot")
