import { Either, Schema } from "effect"
import { type Problems, type Refusal, refuse } from "../../errors/Refusal.js"
import { differences } from "../differences.js"
import { nullable } from "./Fields.js"
import type { PartialDecode } from "./PartialDecode.js"
import { strictStruct } from "./StrictStruct.js"
import { field, wireName } from "./wire.js"

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

/**
 * The field `expect` of a PATCH: values that its caller has read, of fields that others change too; see
 * {@link requireExpected}. A misspelt name is refused, because an ignored one would let the change through.
 */
export const expectation = <A, I>(fields: Schema.Schema<A, I>) =>
  field(given(strictStruct("expect", fields)), {
    description:
      "Values that you have read. If one of them has changed since, the response is 409 `invalid_transition`, `details` names it, and nothing changes."
  })

/**
 * Fails with `invalid_transition` if a value of {@link expectation} is not the present one
 * (docs/reference/administration.md#expected-values). Before the rules that the present values matter to, so that a
 * change of another caller is not reported as a mistake of this one. Passes a body that is invalid by itself.
 */
export const requireExpected = <R extends object>(
  { problems, value }: PartialDecode<{ readonly expect?: Partial<R> }>,
  present: R
): Either.Either<void, Refusal> => {
  const expected = Object.keys(problems).length === 0 ? value.expect : undefined
  const changed = Object.keys(differences(present, { ...present, ...expected }))
  if (changed.length === 0) return Either.void
  const details = Object.fromEntries(changed.map((name) => [`expect.${wireName(name)}`, ["has another value now"]]))
  return Either.left(refuse("invalid_transition", details, "It was changed since you read it; read it again."))
}
