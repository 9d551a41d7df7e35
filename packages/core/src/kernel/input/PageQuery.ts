import { Schema } from "effect"
import { FieldMessage } from "./Fields.js"
import { maxPerPage, pageLimit } from "./ListQuery.js"
import { partialDecode } from "./PartialDecode.js"
import { field, wire } from "./wire.js"

/** Maximum page number: every offset is a safe integer. */
const lastPage = Math.floor(Number.MAX_SAFE_INTEGER / maxPerPage)

const pageText = Schema.String.pipe(
  Schema.filter((value) => /^[1-9]\d{0,15}$/.test(value) && Number(value) <= lastPage, {
    [FieldMessage]: `must be a whole number from 1 to ${lastPage}`
  })
)

/** Page number in a query, from 1. Default: 1. */
export const pageNumber = Schema.optionalWith(
  Schema.transform(pageText, Schema.Number, { strict: true, decode: Number, encode: String }).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: lastPage }
  }),
  { default: () => 1 }
)

/** The query fields of all page lists (docs/reference/pagination.md#page-lists). */
export const pageFields = {
  page: field(pageNumber, { description: "Page number, from 1." }),
  perPage: wire("per_page", pageLimit, { description: "Page size." })
}

/** The query of a page list without filters. */
export const PageQuery = Schema.Struct(pageFields)
export type PageQuery = typeof PageQuery.Type

export const decodePageQuery = partialDecode(PageQuery)

/** One page of a page list. */
export interface Paged<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Exact number of rows on all pages. */
  readonly total: number
  readonly page: number
  readonly perPage: number
}

/** Offset and number of the rows of a page. */
export const pageBounds = ({ page, perPage }: PageQuery): { readonly offset: number; readonly limit: number } => ({
  offset: (page - 1) * perPage,
  limit: perPage
})
