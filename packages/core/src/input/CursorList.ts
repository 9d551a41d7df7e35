import { Effect, Either } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Cursors, Filters } from "./Cursor.js"
import { complete } from "./complete.js"
import type { Draft } from "./Draft.js"
import type { ListQuery } from "./ListQuery.js"

/** One page of a list that is walked by cursor. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly limit: number
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null
}

/** A list that is walked by cursor (decisions.md §11). */
export interface CursorList<Row, Position, E> {
  readonly cursors: Cursors<Position>
  /** What the caller chose the rows by, and what a cursor is bound to; undefined where a filter could not be read. */
  readonly filters: { readonly [name: string]: Filters[string] | undefined }
  /** Where a row stands in the list. */
  readonly positionOf: (row: Row) => Position
  /** The rows after a position, null for the first ones. */
  readonly load: (after: Position | null, limit: number) => Effect.Effect<ReadonlyArray<Row>, E>
}

/** A page of a list; `validation_failed` with every problem of its query, a cursor of another list among them. */
export const listByCursor = <Row, Position, E>(
  { cursors, filters, positionOf, load }: CursorList<Row, Position, E>,
  query: Draft<ListQuery>
): Effect.Effect<Listed<Row>, Refusal | E> =>
  Effect.gen(function* () {
    const { cursor } = query.value
    const after = cursor == null || !areRead(filters) ? Either.right(null) : cursors.decode(filters, cursor)
    const { limit } = yield* complete(query, Either.isLeft(after) ? { cursor: [after.left] } : {})
    // One more than wanted tells whether there is a next page.
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
