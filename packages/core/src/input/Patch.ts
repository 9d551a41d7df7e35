import { Schema } from "effect"
import type { Problems } from "../errors/Refusal.js"
import { nullable } from "./Fields.js"

/** A field that may be left out: of a PATCH, which then leaves the value as it is, or of settings. */
export const given = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A field of a PATCH that null or an empty string clears. */
export const clearable = <A, I>(schema: Schema.Schema<A, I>) =>
  given(
    Schema.transform(Schema.Unknown, Schema.NullOr(schema), {
      strict: false,
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value
    }).annotations({ jsonSchema: nullable(schema) }) as Schema.Schema<A | null, unknown>
  )

/** A field that a PATCH may repeat but not change; see {@link changeProblems}. */
export const unchangeable = given(
  Schema.Unknown.annotations({ jsonSchema: { description: "May be repeated, but not changed." } })
)

/** The problems of the {@link unchangeable} fields that differ from what is there: pairs of present and given, by wire name. */
export const changeProblems = (fields: {
  readonly [field: string]: readonly [present: unknown, given: unknown]
}): Problems =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, [present, wished]]) => wished !== undefined && wished !== present)
      .map(([field]) => [field, ["cannot be changed"]])
  )
