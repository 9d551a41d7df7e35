import type { Message } from "../messages/Message.js"
import { expect, type Parts, row } from "../ports/Changes.js"
import type { Conversation } from "./Conversation.js"

/**
 * What gives a message the next place in its conversation's feed, where its customer fetches it. The feed must still be as
 * long as it was loaded: its places are given one after the other, on all hosts. It leaves the conversation's version alone,
 * since who changes its status does not mind.
 */
export const fedNext = ({ fed, id }: Conversation, message: Pick<Message, "id" | "workspaceId">): Parts => ({
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
