import { Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Cursors, Filters } from "./Cursor.js"
import { complete } from "./complete.js"
import type { ListQuery } from "./ListQuery.js"
import type { PartialDecode } from "./PartialDecode.js"

/** One page of a cursor list. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly limit: number
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null
}

/** A cursor list (docs/reference/pagination.md#cursor-lists). */
export interface CursorList<Row, Position, E> {
  readonly cursors: Cursors<Position>
  /** The caller's filters, to which cursors are bound; undefined for a filter that could not be decoded. */
  readonly filters: { readonly [name: string]: Filters[string] | undefined }
  /** Position of a row in the list. */
  readonly positionOf: (row: Row) => Position
  /** Loads the rows after a position; null loads the first rows. */
  readonly load: (after: Position | null, limit: number) => Effect.Effect<ReadonlyArray<Row>, E>
}

/** Reads one page. Fails with `validation_failed` and all problems of the query, including a cursor of another list. */
export const listByCursor = <Row, Position, E>(
  { cursors, filters, positionOf, load }: CursorList<Row, Position, E>,
  query: PartialDecode<ListQuery>
): Effect.Effect<Listed<Row>, Refusal | E> =>
  Effect.gen(function* () {
    const { cursor } = query.value
    const after = cursor == null || !areRead(filters) ? Either.right(null) : cursors.decode(filters, cursor)
    const { limit } = yield* complete(query, Either.isLeft(after) ? { cursor: [after.left] } : {})
    // One extra row shows whether there is a next page.
    const found = yield* load(
      Either.getOrElse(after, () => null),
      limit + 1
    )
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const hasMore = found.length > limit && last !== undefined && areRead(filters)
    return { rows, limit, nextCursor: hasMore ? cursors.encode(filters, positionOf(last)) : null }
  })

const areRead = (filters: CursorList<never, never, never>["filters"]): filters is Filters =>
  !Object.values(filters).includes(undefined)
