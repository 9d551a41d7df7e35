import type { Channel, ContentOf, OutboundMessage } from "@parley/core"
import { midOf } from "./eventId.js"

/** Meta's request for a reaction, and the id of the message that it is to. */
export interface ReactionRequest {
  readonly mid: string
  readonly body: object
}

/**
 * The request of a reaction, which is a `sender_action` (docs/reference/messenger.md#reactions), or why it cannot be
 * sent.
 */
export const reactionBody = (
  channel: Channel,
  { quoted = null, to }: OutboundMessage,
  { emoji }: ContentOf<"reaction">
): ReactionRequest | string => {
  const mid = quoted === null ? null : midOf(quoted)
  if (mid === null) return "Meta has no id of this message, so that it cannot have a reaction."
  const reaction = emoji === null ? null : reactionOf(channel, emoji)
  if (emoji !== null && reaction === null) return "Instagram takes ❤ only as a reaction."
  const body = {
    recipient: { id: to },
    sender_action: reaction === null ? "unreact" : "react",
    payload: { message_id: mid, ...(reaction === null ? {} : { reaction }) }
  }
  return { mid, body }
}

/** An emoji as Meta takes it: any one on Messenger; on Instagram, the name of the heart. */
const reactionOf = (channel: Channel, emoji: string): string | null =>
  channel !== "instagram" ? emoji : emoji.replaceAll("\uFE0F", "") === "❤" ? "love" : null
