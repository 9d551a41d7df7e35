import { type Effect, Schema } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { cursors } from "../input/Cursor.js"
import { type CursorList, type Listed, listByCursor } from "../input/CursorList.js"
import type { Draft } from "../input/Draft.js"
import { uuid, wholeNumber } from "../input/Fields.js"
import type { ListQuery } from "../input/ListQuery.js"
import type { ConversationFilter, ReadError, Storage } from "../ports/Storage.js"
import type { Conversation } from "./Conversation.js"

const byActivity = cursors(
  "conversations",
  Schema.Struct({
    lastActivityAt: Schema.propertySignature(wholeNumber(0, Number.MAX_SAFE_INTEGER)).pipe(Schema.fromKey("at")),
    id: uuid
  })
)

/**
 * A page of conversations by last activity, newest first (decisions.md §11). `filters` are what the caller chose them by,
 * and what a cursor is bound to; `filter` is what that means.
 */
export const listByActivity = (
  storage: Storage,
  list: { readonly filters: CursorList<never, never, never>["filters"]; readonly filter: ConversationFilter },
  query: Draft<ListQuery>
): Effect.Effect<Listed<Conversation>, Refusal | ReadError> =>
  listByCursor(
    {
      cursors: byActivity,
      filters: list.filters,
      positionOf: ({ lastActivityAt, id }) => ({ lastActivityAt, id }),
      load: (after, limit) => storage.listConversations(list.filter, after, limit)
    },
    query
  )
