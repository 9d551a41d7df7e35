import { Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { type CursorList, type Listed, listByCursor } from "../../kernel/input/CursorList.js"
import { uuid, wholeNumber } from "../../kernel/input/Fields.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
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
  list: {
    readonly filters: CursorList<never, never, never>["filters"]
    readonly filter: ConversationFilter
    /** Only conversations with activity at this time (ms) or later. Null or absent: no bound. */
    readonly since?: Instant | null
  },
  query: PartialDecode<ListQuery>
): Effect.Effect<Listed<Conversation>, Refusal | ReadError> =>
  listByCursor(
    {
      cursors: byActivity,
      filters: list.filters,
      positionOf: ({ lastActivityAt, id }) => ({ lastActivityAt, id }),
      // By last activity, newest first: the first older one ends the list.
      load: (after, limit) =>
        Effect.map(storage.listConversations(list.filter, after, limit), (rows) =>
          list.since == null ? rows : rows.filter(({ lastActivityAt }) => lastActivityAt >= (list.since as Instant))
        )
    },
    query
  )
