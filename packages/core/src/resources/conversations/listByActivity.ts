import { type Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { type CursorList, type Listed, listByCursor } from "../../kernel/input/CursorList.js"
import { uuid, wholeNumber } from "../../kernel/input/Fields.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Conversation } from "../../model/Conversation.js"
import type { ConversationFilter, ReadError, Storage } from "../../ports/Storage.js"

const byActivity = cursors(
  "conversations",
  Schema.Struct({
    lastActivityAt: Schema.propertySignature(wholeNumber(0, Number.MAX_SAFE_INTEGER)).pipe(Schema.fromKey("at")),
    id: uuid
  })
)

/**
 * A page of conversations by last activity, newest first (docs/reference/pagination.md#order-of-lists). `filters` are
 * the query parameters, to which cursors are bound; `filter` is the resulting storage filter.
 */
export const listByActivity = (
  storage: Storage,
  list: { readonly filters: CursorList<never, never, never>["filters"]; readonly filter: ConversationFilter },
  query: PartialDecode<ListQuery>
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
