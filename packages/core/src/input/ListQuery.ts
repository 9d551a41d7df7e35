import { Schema } from "effect"
import { draft } from "./Draft.js"
import { text, Words } from "./Fields.js"

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

/** A filter in a query: left out or empty, it is null. */
export const queryFilter = <A>(schema: Schema.Schema<A, string>) =>
  Schema.optionalWith(
    Schema.transform(Schema.String, Schema.NullOr(schema), {
      strict: true,
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value ?? ""
    }),
    { default: () => null }
  )

/** The query fields of every cursor list (spec, Pagination). */
export const listFields = { limit: pageLimit, cursor: queryFilter(text(1_000)) }

/** The query of a cursor list without filters. */
export const ListQuery = Schema.Struct(listFields)
export type ListQuery = typeof ListQuery.Type

export const listQueryDraft = draft(ListQuery)
