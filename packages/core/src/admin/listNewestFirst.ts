import { Effect, Either, Schema } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { cursors, type Filters } from "../input/Cursor.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { isUuid } from "../input/Fields.js"
import type { ListQuery } from "../input/ListQuery.js"
import type { Condition, Tables } from "../ports/Changes.js"
import type { ReadError, Storage } from "../ports/Storage.js"

/** One page of a cursor list. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly limit: number
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null
}

type ListedTable =
  | "workspaces"
  | "applications"
  | "apiKeys"
  | "oauthClients"
  | "endpoints"
  | "deliveries"
  | "connections"
  | "templates"
  | "agents"
  | "teams"
  | "pipelines"
  | "leads"
  | "workflows"

const Position = Schema.String.pipe(Schema.filter(isUuid))

/**
 * A page of a table by id, newest first (decisions.md §11). `filters` are what the caller chose the rows by, and what a
 * cursor is bound to; `where` is what that means.
 */
export const listNewestFirst = <T extends ListedTable>(
  storage: Storage,
  list: { readonly from: T; readonly filters: Filters; readonly where: Condition<T> },
  query: Draft<ListQuery>
): Effect.Effect<Listed<Tables[T]>, Refusal | ReadError> =>
  Effect.gen(function* () {
    const { encode, decode } = cursors(list.from, Position)
    const after = query.value.cursor == null ? Either.right(null) : decode(list.filters, query.value.cursor)
    const { limit } = yield* complete(query, Either.isLeft(after) ? { cursor: [after.left] } : {})
    const found = yield* storage.list({
      from: list.from,
      where: list.where,
      after: Either.getOrElse(after, () => null),
      limit: limit + 1
    })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    return {
      rows,
      limit,
      nextCursor: found.length > limit && last !== undefined ? encode(list.filters, last.id) : null
    }
  })
