import { Schema } from "effect"
import { FieldMessage } from "../../kernel/input/Fields.js"

const statusPattern = /^([1-5]\d\d|[1-5]xx)$/

/** Query filter: an HTTP status such as `404`, or a class such as `4xx`. */
export const statusFilter: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((value) => statusPattern.test(value), {
    jsonSchema: { type: "string", pattern: statusPattern.source },
    [FieldMessage]: "must be an HTTP status such as 404, or a class of them such as 4xx"
  })
)

/** The statuses that a {@link statusFilter} matches. */
export const statusesOf = (filter: string): ReadonlyArray<number> =>
  filter.endsWith("xx")
    ? Array.from({ length: 100 }, (_, rest) => Number(filter.charAt(0)) * 100 + rest)
    : [Number(filter)]
