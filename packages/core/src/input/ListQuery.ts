import { Schema } from "effect"
import { draft } from "./Draft.js"
import { optionalText, Words } from "./Fields.js"

/** How many rows a page has, where the caller does not say (spec, Limits). */
export const defaultLimit = 25

const limitText = Schema.String.pipe(
  Schema.filter((value) => /^([1-9]\d?|100)$/.test(value), { [Words]: "must be a whole number from 1 to 100" })
)

/** A page's size in a query: 1 to 100, 25 where it is left out. */
export const pageLimit = Schema.optionalWith(
  Schema.transform(limitText, Schema.Number, { strict: true, decode: Number, encode: String }).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: 100 }
  }),
  { default: () => defaultLimit }
)

/** The query fields of every cursor list (spec, Pagination). */
export const listFields = { limit: pageLimit, cursor: optionalText(1_000) }

/** The query of a cursor list without filters. */
export const ListQuery = Schema.Struct(listFields)
export type ListQuery = typeof ListQuery.Type

export const listQueryDraft = draft(ListQuery)
