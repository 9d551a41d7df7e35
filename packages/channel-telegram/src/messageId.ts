/**
 * The provider message id of a Telegram message, inbound or outbound: it contains the chat's id, since message numbers
 * are unique within a chat only. Chats of a business account have the same ids as those of the bot, and numbers of
 * their own. `business`: the id of the business connection; null: a chat with the bot.
 */
export const messageIdOf = (
  {
    chat,
    message_id
  }: {
    readonly message_id: number
    readonly chat: { readonly id: number }
  },
  business: string | null
): string => ofBusiness(`${chat.id}:${message_id}`, business)

/** The id of an event in a chat of a business account. */
export const ofBusiness = (id: string, business: string | null): string =>
  business === null ? id : `${id}:business:${business}`

/**
 * The business connection in whose chat a message is, by its provider message id; null: a chat with the bot, or of a
 * connection that is not listed (any more).
 */
export const businessIn = (providerMessageId: string, listed: ReadonlyArray<string> | null): string | null => {
  const business = businessOf(providerMessageId)
  return business !== null && listed?.includes(business) === true ? business : null
}

const businessOf = (providerMessageId: string): string | null => /:business:(.+)$/.exec(providerMessageId)?.[1] ?? null

/** The id of a message, or of an event of it: with its chat and its number there. */
const numbered = /^(-?\d+):(\d+)(?::|$)/

/**
 * The number of the message in the chat of `to`, with the bot or of the business connection, by its provider message
 * id; null for a message of another chat, and for ids of other things, such as a pressed button.
 */
export const messageNumberOf = (to: string, business: string | null, providerMessageId: string): number | null => {
  const [, chat, number] = numbered.exec(providerMessageId) ?? []
  return chat === to && businessOf(providerMessageId) === business ? Number(number) : null
}

/** Why a message cannot have a reaction: a message (`must be …`), or null if it can. */
export const reactionProblem = (providerMessageId: string): string | null => {
  if (businessOf(providerMessageId) !== null) {
    return "must be a message of the chat with the bot: bots cannot react in chats of business accounts"
  }
  return numbered.test(providerMessageId) ? null : "must be a message of the chat, not a pressed button or a story"
}

/** The parameter of a call in a chat of a business account. */
export const onBehalf = (business: string | null): object =>
  business === null ? {} : { business_connection_id: business }
