import { type Effect, Schema } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { cursors } from "../input/Cursor.js"
import { type CursorList, type Listed, listByCursor } from "../input/CursorList.js"
import type { Draft } from "../input/Draft.js"
import { isUuid } from "../input/Fields.js"
import type { ListQuery } from "../input/ListQuery.js"
import type { Condition, Tables } from "../ports/Changes.js"
import type { Page, ReadError, Storage, TableWithId } from "../ports/Storage.js"

const Position = Schema.String.pipe(Schema.filter(isUuid))

/**
 * A page of a table by id, newest first (decisions.md §11). `filters` are what the caller chose the rows by, and what a
 * cursor is bound to; `where` is what that means.
 */
export const listNewestFirst = <T extends TableWithId>(
  storage: Storage,
  list: {
    readonly from: T
    readonly filters: CursorList<never, never, never>["filters"]
    readonly where: Condition<T>
    /** As {@link Page} has it; of the filters too. */
    readonly since?: Instant
  },
  query: Draft<ListQuery>
): Effect.Effect<Listed<Tables[T]>, Refusal | ReadError> =>
  listByCursor(
    {
      cursors: cursors(list.from, Position),
      filters: list.filters,
      positionOf: ({ id }) => id,
      load: (after, limit) => {
        const { from, since, where } = list
        return storage.list({ from, where, after, ...(since === undefined ? {} : { since }), limit })
      }
    },
    query
  )
