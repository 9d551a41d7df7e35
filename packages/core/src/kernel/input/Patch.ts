import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { nullable } from "./Fields.js"

/** An optional field of a PATCH or of settings. Absent in a PATCH: the value is unchanged. */
export const given = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A field of a PATCH that is cleared by null or an empty string. */
export const clearable = <A, I>(schema: Schema.Schema<A, I>) =>
  given(
    Schema.transform(Schema.Unknown, Schema.NullOr(schema), {
      strict: false,
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value
    }).annotations({ jsonSchema: nullable(schema) }) as Schema.Schema<A | null, unknown>
  )

/** An immutable field: a PATCH may contain it with its present value only; see {@link changeProblems}. */
export const unchangeable = given(
  Schema.Unknown.annotations({ jsonSchema: { description: "May be repeated, but not changed." } })
)

/** Problems of {@link unchangeable} fields whose given value differs from the present one, by wire name. */
export const changeProblems = (fields: {
  readonly [field: string]: readonly [present: unknown, given: unknown]
}): Problems =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, [present, requested]]) => requested !== undefined && requested !== present)
      .map(([field]) => [field, ["cannot be changed"]])
  )
