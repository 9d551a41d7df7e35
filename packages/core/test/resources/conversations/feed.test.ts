import { expect, it } from "@effect/vitest"
import { aConversation, aMessage } from "@parley/testkit/rows"
import { appendToFeed } from "../../../src/resources/conversations/feed.js"

it("appends a message with the next sequence and expects the loaded feed length", () => {
  const conversation = aConversation({ fed: 4 })
  const message = aMessage({ id: "0190a1b2-0000-7000-8000-0000000000e1" })
  expect(appendToFeed(conversation, message)).toEqual({
    expects: [{ table: "conversations", key: { id: conversation.id }, where: { fed: 4 } }],
    bumps: [{ table: "conversations", id: conversation.id, add: { fed: 1 } }],
    inserts: [
      {
        table: "feed",
        row: {
          conversationId: conversation.id,
          sequence: 5,
          workspaceId: message.workspaceId,
          messageId: message.id
        }
      }
    ]
  })
})
