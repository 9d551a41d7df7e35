import { AdminConversations, AdminMessages, conversationResource, type KnownConversation } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ConversationsGroup } from "./ConversationsGroup.js"

/** Carries out the contract's group `conversations`. */
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
    reply: ({ path, body, idempotency }) => messages.reply(path.id, { draft: body, idempotency })
  }
})

const resource = ({ conversation, serviceWindowHours }: KnownConversation) =>
  conversationResource(conversation, serviceWindowHours)
