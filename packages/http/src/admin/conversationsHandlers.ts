import {
  AdminConversations,
  AdminMessages,
  adminConversationResource,
  Files,
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
  AdminConversations | AdminMessages | Files
> = Effect.gen(function* () {
  const conversations = yield* AdminConversations
  const messages = yield* AdminMessages
  const files = yield* Files
  return {
    list: ({ base, query, url }) =>
      Effect.zipWith(conversations.list(query), files.links(base), (page, links) =>
        pageOf(url, page, (known) => adminConversationResource(known, links))
      ),
    get: ({ base, path }) =>
      Effect.zipWith(conversations.get(path.id), files.links(base), (known, links) => ({
        data: adminConversationResource(known, links)
      })),
    update: ({ base, path, body }) =>
      Effect.zipWith(conversations.update(path.id, body), files.links(base), (known, links) => ({
        data: adminConversationResource(known, links)
      })),
    typing: ({ path }) => Effect.map(conversations.signal(path.id, "typing"), (data) => ({ data })),
    read: ({ path }) => Effect.map(conversations.signal(path.id, "read"), (data) => ({ data })),
    reply: ({ path, body }) =>
      Effect.map(messages.reply(path.id, body), (message) => ({ data: messageResource(message, unlinked, null) }))
  }
})
