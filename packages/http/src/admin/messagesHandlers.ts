import { AdminMessages, messageResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { MessagesGroup } from "./MessagesGroup.js"

/** Carries out the contract's group `messages`. */
export const messagesHandlers: Effect.Effect<
  GroupHandlers<typeof MessagesGroup, Administrator>,
  never,
  AdminMessages
> = Effect.map(AdminMessages, (messages) => ({
  list: ({ query, url }) => Effect.map(messages.list(query), (page) => pageOf(url, page, messageResource)),
  get: ({ path }) => Effect.map(messages.get(path.id), (message) => ({ data: messageResource(message) }))
}))
