import { Schema } from "effect"
import { queryFilter, rowCount } from "../../kernel/input/ListQuery.js"
import { pageNumber } from "../../kernel/input/PageQuery.js"
import { field, wire } from "../../kernel/input/wire.js"

/** The query of `GET /channels`. Without `per_page`, all of them are on one page. */
export const ChannelListQuery = Schema.Struct({
  page: field(pageNumber, { description: "Page number, from 1." }),
  perPage: wire("per_page", queryFilter(rowCount), { description: "Page size." })
})
export type ChannelListQuery = typeof ChannelListQuery.Type
