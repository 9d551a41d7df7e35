import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { messageIdOf } from "../messageId.js"
import { chatOf } from "./Chat.js"
import { type Fields, fieldsOf, integerIn, listIn, textIn } from "./fields.js"
import { nameOf } from "./Sender.js"

/** The event of a `message_reaction`. The newest reaction counts, since a customer with Premium may set several. */
export const reactionEvent = (value: unknown, updateId: number): InboundEvent => {
  const reaction = fieldsOf(value)
  const chat = chatOf(reaction)
  const message_id = integerIn(reaction, "message_id")
  if (chat === null || message_id === null) return unknownEvent("message_reaction", value)
  if (chat.type !== "private") return unknownEvent(`message_reaction.${chat.type}`, value)
  const before = listIn(reaction, "old_reaction").map(emojiOf)
  const now = listIn(reaction, "new_reaction").map(emojiOf)
  const emoji = now.findLast((one) => !before.includes(one)) ?? now.at(-1) ?? null
  const quoted = messageIdOf({ chat, message_id }, null)
  return InboundEvent.Message({
    providerMessageId: `${quoted}:reaction:${integerIn(reaction, "date") ?? 0}:${updateId}`,
    from: String(chat.id),
    body: readable(emoji),
    content: { type: "reaction", emoji },
    quoted: { providerMessageId: quoted },
    subject: null,
    displayName: nameOf(fieldsOf(reaction.user)),
    attachments: [],
    automatic: false
  })
}

/** A custom emoji is an id, which says nothing to people. */
const readable = (emoji: string | null): string => {
  if (emoji === null) return "Reaction removed"
  return /^\d{2,}$/.test(emoji) ? "Custom emoji" : emoji
}

/** An emoji; of a custom one its id, and of a paid one a star. */
const emojiOf = (reaction: Fields): string =>
  textIn(reaction, "emoji") ?? textIn(reaction, "custom_emoji_id") ?? (reaction.type === "paid" ? "⭐" : "?")
