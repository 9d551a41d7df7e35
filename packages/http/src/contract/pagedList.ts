import type { Paged } from "@parley/core"
import { Schema } from "effect"

const link = Schema.NullOr(Schema.String)

/** The envelope of a list that is walked by page number (docs/reference/pagination.md#page-lists). */
export const pagedList = <A, I>(resource: Schema.Schema<A, I>) =>
  Schema.Struct({
    data: Schema.Array(resource),
    meta: Schema.Struct({
      current_page: Schema.Number,
      per_page: Schema.Number,
      total: Schema.Number,
      last_page: Schema.Number
    }),
    links: Schema.Struct({ next: link, prev: link })
  })

/** A page in its envelope. `url` is that of the request: the pages beside it have the same filters. */
export const pagedListOf = <Row, A>(
  url: string,
  { rows, total, page, perPage }: Paged<Row>,
  resource: (row: Row) => A
) => {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const linkTo = (number: number): string => {
    const there = new URL(url)
    there.searchParams.set("page", String(number))
    return there.href
  }
  return {
    data: rows.map(resource),
    meta: { current_page: page, per_page: perPage, total, last_page: lastPage },
    links: {
      next: page < lastPage ? linkTo(page + 1) : null,
      prev: page > 1 ? linkTo(Math.min(page - 1, lastPage)) : null
    }
  }
}
