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
import { chosen } from "./chosen.js"

const Position = Schema.String.pipe(Schema.filter(isUuid))

/**
 * A page of a table by id, newest first (decisions.md §11). `by` are the columns that the caller may choose rows by: null
 * where one is not used, undefined where it could not be read. Where they chose by something else, `filters` say by what, and
 * `where` what that means. A cursor is bound to what they chose.
 */
export const listNewestFirst = <T extends TableWithId>(
  storage: Storage,
  list: {
    readonly from: T
    readonly by?: { readonly [K in keyof Tables[T]]?: Tables[T][K] | null | undefined }
    readonly filters?: Chosen
    readonly where?: Condition<T>
    /** As {@link Page} has it; of the filters too. */
    readonly since?: Instant
  },
  query: Draft<ListQuery>
): Effect.Effect<Listed<Tables[T]>, Refusal | ReadError> => {
  const { by = {}, from, since } = list
  const where = { ...chosen(by), ...list.where } as Condition<T>
  return listByCursor(
    {
      cursors: cursors(from, Position),
      filters: { ...wireNamed(by), ...list.filters },
      positionOf: ({ id }) => id,
      load: (after, limit) => storage.list({ from, where, after, ...(since === undefined ? {} : { since }), limit })
    },
    query
  )
}

type Chosen = CursorList<never, never, never>["filters"]

const wireNamed = (by: object): Chosen =>
  Object.fromEntries(
    Object.entries(by).map(([column, value]) => [
      column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value
    ])
  )
