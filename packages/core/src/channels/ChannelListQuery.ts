import { Schema } from "effect"
import { queryFilter, rowCount } from "../input/ListQuery.js"
import { pageNumber } from "../input/PageQuery.js"

/** The query of `GET /channels`. Without `per_page`, all of them are on one page. */
export const ChannelListQuery = Schema.Struct({
  page: pageNumber,
  perPage: queryFilter(rowCount).pipe(Schema.fromKey("per_page"))
})
export type ChannelListQuery = typeof ChannelListQuery.Type
