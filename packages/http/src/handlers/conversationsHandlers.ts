import {
  type Caller,
  Conversations,
  type ConversationWithWindow,
  conversationResource,
  Files,
  messageResource
} from "@parley/core"
import { Effect } from "effect"
import type { ConversationsGroup } from "../contract/ConversationsGroup.js"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `conversations` of the contract. */
export const conversationsHandlers: Effect.Effect<
  GroupHandlers<typeof ConversationsGroup, Caller>,
  never,
  Conversations | Files
> = Effect.map(Effect.all([Conversations, Files]), ([conversations, files]) => ({
  list: ({ caller, query, url }) =>
    Effect.map(conversations.list(caller, query), (page) => pageOf(url, page, resource)),
  get: ({ caller, path }) => Effect.map(conversations.get(caller, path.id), (known) => ({ data: resource(known) })),
  typing: ({ caller, path }) => Effect.map(conversations.signal(caller, path.id, "typing"), (data) => ({ data })),
  read: ({ caller, path }) => Effect.map(conversations.signal(caller, path.id, "read"), (data) => ({ data })),
  messages: ({ caller, path, query, url, base }) =>
    Effect.zipWith(conversations.messages(caller, path.id, query), files.links(base), (page, links) =>
      pageOf(url, page, (message) => messageResource(message, links, caller.application.id))
    )
}))

const resource = ({ conversation, serviceWindowHours }: ConversationWithWindow) =>
  conversationResource(conversation, serviceWindowHours)
