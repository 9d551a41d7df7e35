import type { Listed } from "@parley/core"
import { Schema } from "effect"

/** The envelope of a cursor list (docs/reference/pagination.md#cursor-lists). */
export const cursorPage = <A, I>(resource: Schema.Schema<A, I>) =>
  Schema.Struct({
    data: Schema.Array(resource),
    meta: Schema.Struct({ per_page: Schema.Number, has_more: Schema.Boolean }),
    links: Schema.Struct({ next: Schema.NullOr(Schema.String), prev: Schema.Null })
  })

/** A page in its envelope. `url` is that of the request: the next page has the same filters. */
export const pageOf = <Row, A>(url: string, { rows, limit, nextCursor }: Listed<Row>, resource: (row: Row) => A) => {
  const next = new URL(url)
  if (nextCursor !== null) next.searchParams.set("cursor", nextCursor)
  return {
    data: rows.map(resource),
    meta: { per_page: limit, has_more: nextCursor !== null },
    links: { next: nextCursor === null ? null : next.href, prev: null }
  }
}
