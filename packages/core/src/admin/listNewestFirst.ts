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

/** Which rows of a table are listed. */
interface Wanted<T extends TableWithId> {
  readonly from: T
  /** The columns that the caller may choose rows by: null where one is not used, undefined where it could not be read. */
  readonly by?: { readonly [K in keyof Tables[T]]?: Tables[T][K] | null | undefined }
  /** By what else they chose. */
  readonly filters?: Chosen
  /** What `filters` mean. */
  readonly where?: Condition<T>
  /** As {@link Page} has it; of the filters too. */
  readonly since?: Instant
}

/** A page of a table by id, newest first (decisions.md §11). A cursor is bound to what the caller chose. */
export const listNewestFirst = <T extends TableWithId>(
  storage: Storage,
  wanted: Wanted<T>,
  query: Draft<ListQuery>
): Effect.Effect<Listed<Tables[T]>, Refusal | ReadError> => readNewestFirst((page) => storage.list(page), wanted, query)

/** The same, of rows that are `read` in another way than whole. */
export const readNewestFirst = <T extends TableWithId, Row extends { readonly id: string }>(
  read: (page: Page<T>) => Effect.Effect<ReadonlyArray<Row>, ReadError>,
  wanted: Wanted<T>,
  query: Draft<ListQuery>
): Effect.Effect<Listed<Row>, Refusal | ReadError> => {
  const { by = {}, from, since } = wanted
  const where = { ...chosen(by), ...wanted.where } as Condition<T>
  return listByCursor(
    {
      cursors: cursors(from, Position),
      filters: { ...wireNamed(by), ...wanted.filters },
      positionOf: ({ id }) => id,
      load: (after, limit) => read({ from, where, after, ...(since === undefined ? {} : { since }), limit })
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
