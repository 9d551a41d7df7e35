/** A message of Telegram's as our provider message id, in both directions: its own number is unique within its chat only. */
export const messageIdOf = ({
  chat,
  message_id
}: {
  readonly message_id: number
  readonly chat: { readonly id: number }
}): string => `${chat.id}:${message_id}`
