import { JSONSchema, Schema } from "effect"
import { draft } from "./Draft.js"
import { text, Words } from "./Fields.js"

/** How many rows a page has, where the caller does not say (spec, Limits). */
export const defaultLimit = 25

/** The most rows that a page may have. */
export const mostPerPage = 100

const rowCountText = Schema.String.pipe(
  Schema.filter((value) => /^([1-9]\d?|100)$/.test(value), {
    [Words]: `must be a whole number from 1 to ${mostPerPage}`
  })
)

/** How many rows a page has, as a query tells it: 1 to 100. */
export const rowCount: Schema.Schema<number, string> = Schema.transform(rowCountText, Schema.Number, {
  strict: true,
  decode: Number,
  encode: String
}).annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: mostPerPage } })

/** A page's size in a query: 1 to 100, 25 where it is left out. */
export const pageLimit = Schema.optionalWith(rowCount, { default: () => defaultLimit })

/** `true` or `false` in a query; false where it is left out or empty. */
export const queryFlag = Schema.optionalWith(
  Schema.transform(
    Schema.String.pipe(
      Schema.filter((value) => ["true", "false", ""].includes(value), { [Words]: "must be true or false" })
    ),
    Schema.Boolean,
    { strict: true, decode: (value) => value === "true", encode: String }
  ).annotations({ jsonSchema: { type: "boolean" } }),
  { default: () => false }
)

/** A filter in a query: left out or empty, it is null. */
export const queryFilter = <A, I extends string>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(
    Schema.transform(Schema.String, Schema.NullOr(schema), {
      strict: false,
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value ?? ""
    }).annotations({ jsonSchema: shapeOf(schema) }),
    { default: () => null }
  )

const shapeOf = (schema: Schema.Schema.Any): object => {
  const { $schema: _, ...shape } = JSONSchema.make(schema)
  return shape
}

/** The query fields of every cursor list (spec, Pagination). */
export const listFields = { limit: pageLimit, cursor: queryFilter(text(1_000)) }

/** The query of a cursor list without filters. */
export const ListQuery = Schema.Struct(listFields)
export type ListQuery = typeof ListQuery.Type

export const listQueryDraft = draft(ListQuery)
