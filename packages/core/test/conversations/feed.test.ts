import { expect, it } from "@effect/vitest"
import { aConversation, aMessage } from "@parley/testkit"
import { fedNext } from "../../src/conversations/feed.js"

it("gives a message the place behind the last, if the feed is still as long", () => {
  const conversation = aConversation({ fed: 4 })
  const message = aMessage({ id: "0190a1b2-0000-7000-8000-0000000000e1" })
  expect(fedNext(conversation, message)).toEqual({
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
