import {
  type AdminConversation,
  AdminConversations,
  AdminMessages,
  conversationResource,
  messageResource,
  unlinked
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ConversationsGroup } from "./ConversationsGroup.js"

/** Implements the group `conversations` of the contract. */
export const conversationsHandlers: Effect.Effect<
  GroupHandlers<typeof ConversationsGroup, Administrator>,
  never,
  AdminConversations | AdminMessages
> = Effect.gen(function* () {
  const conversations = yield* AdminConversations
  const messages = yield* AdminMessages
  return {
    list: ({ query, url }) => Effect.map(conversations.list(query), (page) => pageOf(url, page, resource)),
    get: ({ path }) => Effect.map(conversations.get(path.id), (known) => ({ data: resource(known) })),
    update: ({ path, body }) => Effect.map(conversations.update(path.id, body), (known) => ({ data: resource(known) })),
    typing: ({ path }) => Effect.map(conversations.signal(path.id, "typing"), (data) => ({ data })),
    read: ({ path }) => Effect.map(conversations.signal(path.id, "read"), (data) => ({ data })),
    reply: ({ path, body }) =>
      Effect.map(messages.reply(path.id, body), (message) => ({ data: messageResource(message, unlinked, null) }))
  }
})

const resource = ({ contactName, conversation, serviceWindowHours }: AdminConversation) => ({
  ...conversationResource(conversation, serviceWindowHours),
  contactName
})
