import { type Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../model/Instant.js"
import type { Condition, Tables } from "../../ports/Changes.js"
import type { Page, ReadError, Storage, TableWithId } from "../../ports/Storage.js"
import { cursors } from "./Cursor.js"
import { type CursorList, type Listed, listByCursor } from "./CursorList.js"
import { definedFilters } from "./definedFilters.js"
import { isUuid } from "./Fields.js"
import type { ListQuery } from "./ListQuery.js"
import type { PartialDecode } from "./PartialDecode.js"
import { wireName } from "./wire.js"

const Position = Schema.String.pipe(Schema.filter(isUuid))

/** Table and filters of a list. */
interface Wanted<T extends TableWithId> {
  readonly from: T
  /** Column filters; null for an unused one, undefined for one that could not be decoded. */
  readonly by?: { readonly [K in keyof Tables[T]]?: Tables[T][K] | null | undefined }
  /** Further filters by wire name, to which cursors are bound too. */
  readonly filters?: ListFilters
  /** The condition that `filters` translate to. */
  readonly where?: Condition<T>
  /** See {@link Page}. A filter as those of `by`: null for an unused one, undefined if it could not be decoded. */
  readonly since?: Instant | null | undefined
  /** See {@link Page}. It is named by a filter of `filters`. */
  readonly notNull?: Page<T>["notNull"]
}

/**
 * Reads one page of a table in descending order of id (docs/reference/pagination.md#cursor-lists). Cursors are bound to
 * the filters.
 */
export const listNewestFirst = <T extends TableWithId>(
  storage: Storage,
  wanted: Wanted<T>,
  query: PartialDecode<ListQuery>
): Effect.Effect<Listed<Tables[T]>, Refusal | ReadError> => readNewestFirst((page) => storage.list(page), wanted, query)

/** Like {@link listNewestFirst}, with another `read` function, such as one for some columns. */
export const readNewestFirst = <T extends TableWithId, Row extends { readonly id: string }>(
  read: (page: Page<T>) => Effect.Effect<ReadonlyArray<Row>, ReadError>,
  wanted: Wanted<T>,
  query: PartialDecode<ListQuery>
): Effect.Effect<Listed<Row>, Refusal | ReadError> => {
  const { by = {}, from, notNull, since } = wanted
  const where = { ...definedFilters(by), ...wanted.where } as Condition<T>
  return listByCursor(
    {
      cursors: cursors(from, Position),
      filters: { ...wireNamed(by), ...("since" in wanted ? { since } : {}), ...wanted.filters },
      positionOf: ({ id }) => id,
      load: (after, limit) => read({ from, where, after, ...definedFilters({ notNull, since }), limit })
    },
    query
  )
}

type ListFilters = CursorList<never, never, never>["filters"]

const wireNamed = (by: object): ListFilters =>
  Object.fromEntries(Object.entries(by).map(([column, value]) => [wireName(column), value]))
