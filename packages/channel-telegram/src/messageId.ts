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
