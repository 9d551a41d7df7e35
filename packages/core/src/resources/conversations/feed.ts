import type { Conversation } from "../../model/Conversation.js"
import type { Message } from "../../model/Message.js"
import { expect, type Parts, row } from "../../ports/Changes.js"

/**
 * Appends a message to its conversation's feed, from which the customer fetches it (docs/reference/sends.md#feeds).
 * Expects the feed length that was loaded, so that sequence numbers have no gaps or duplicates across hosts. No version
 * bump, so concurrent status changes do not conflict.
 */
export const appendToFeed = ({ fed, id }: Conversation, message: Pick<Message, "id" | "workspaceId">): Parts => ({
  expects: [expect("conversations", { id }, { fed })],
  bumps: [{ table: "conversations", id, add: { fed: 1 } }],
  inserts: [
    row("feed", {
      conversationId: id,
      sequence: fed + 1,
      workspaceId: message.workspaceId,
      messageId: message.id
    })
  ]
})
