import { AdminMessages, Files, messageResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { MessagesGroup } from "./MessagesGroup.js"

/** Implements the group `messages` of the contract. */
export const messagesHandlers: Effect.Effect<
  GroupHandlers<typeof MessagesGroup, Administrator>,
  never,
  AdminMessages | Files
> = Effect.map(Effect.all([AdminMessages, Files]), ([messages, files]) => ({
  list: ({ query, url, base }) =>
    Effect.zipWith(messages.list(query), files.links(base), (page, links) =>
      pageOf(url, page, (message) => messageResource(message, links, null))
    ),
  get: ({ path, base }) =>
    Effect.zipWith(messages.get(path.id), files.links(base), (message, links) => ({
      data: messageResource(message, links, null)
    })),
  sending: ({ path }) => Effect.map(messages.sending(path.id), (data) => ({ data })),
  raw: ({ path }) => Effect.map(messages.raw(path.id), (data) => ({ data }))
}))
