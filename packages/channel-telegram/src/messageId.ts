/**
 * The provider message id of a Telegram message, inbound or outbound: it contains the chat's id, since message numbers
 * are unique within a chat only.
 */
export const messageIdOf = ({
  chat,
  message_id
}: {
  readonly message_id: number
  readonly chat: { readonly id: number }
}): string => `${chat.id}:${message_id}`

/**
 * The number of the message in the chat of `to`, by its provider message id; null for ids of other things, such as a
 * pressed button.
 */
export const messageNumberOf = (to: string, providerMessageId: string): number | null => {
  const [, chat, number] = /^(-?\d+):(\d+)(?::|$)/.exec(providerMessageId) ?? []
  return chat === to ? Number(number) : null
}
