import { Schema } from "effect"
import { FieldMessage } from "./Fields.js"
import { maxPerPage, pageLimit } from "./ListQuery.js"
import { partialDecode } from "./PartialDecode.js"
import { field, wire } from "./wire.js"

/** The highest page there can be, so that every offset is a safe integer. */
const lastPage = Math.floor(Number.MAX_SAFE_INTEGER / maxPerPage)

const pageText = Schema.String.pipe(
  Schema.filter((value) => /^[1-9]\d{0,15}$/.test(value) && Number(value) <= lastPage, {
    [FieldMessage]: `must be a whole number from 1 to ${lastPage}`
  })
)

/** Which page, 1-based; the first where it is left out. */
export const pageNumber = Schema.optionalWith(
  Schema.transform(pageText, Schema.Number, { strict: true, decode: Number, encode: String }).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: lastPage }
  }),
  { default: () => 1 }
)

/** The query fields of every list that is walked by page number (docs/reference/pagination.md#page-lists). */
export const pageFields = {
  page: field(pageNumber, { description: "Page number, from 1." }),
  perPage: wire("per_page", pageLimit, { description: "Page size." })
}

/** The query of such a list without filters. */
export const PageQuery = Schema.Struct(pageFields)
export type PageQuery = typeof PageQuery.Type

export const decodePageQuery = partialDecode(PageQuery)

/** One page of such a list. */
export interface Paged<Row> {
  readonly rows: ReadonlyArray<Row>
  /** How many there are on all pages, exactly. */
  readonly total: number
  readonly page: number
  readonly perPage: number
}

/** Where a page lies in its list, as rows. */
export const pageBounds = ({ page, perPage }: PageQuery): { readonly offset: number; readonly limit: number } => ({
  offset: (page - 1) * perPage,
  limit: perPage
})
