import { Either, ParseResult, Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { lazy } from "../lazy.js"
import { fastDecode, nestedStruct, undecoded } from "./fastDecode.js"
import { problemsOf } from "./problemsOf.js"
import { isJsonRecord } from "./StrictStruct.js"

/**
 * A partially decoded input: the valid fields, and the problems of the invalid ones. Rules that need data use the valid
 * fields, so that one response reports all problems (docs/reference/requests.md#validation-messages).
 */
export interface PartialDecode<A> {
  readonly value: Partial<A>
  readonly problems: Problems
}

/**
 * Creates a decoder for an input in wire shape. Unknown fields are ignored. The schema is compiled at the first input,
 * because a process has hundreds of schemas and may use a few.
 */
export const partialDecode = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) => {
  const fast = lazy(() => fastDecode(schema))
  const whole = lazy(() => decoder(schema))
  const fields = lazy(() =>
    Object.entries(schema.fields).map(([name, field]) => {
      const nested = nestedStruct(field)
      return {
        name,
        nested: nested === undefined ? undefined : partialDecode(nested),
        decode: decoder(Schema.Struct({ [name]: field }))
      }
    })
  )
  return (input: { readonly [key: string]: unknown }): PartialDecode<Schema.Struct.Type<F>> => {
    const valid = fast()?.(input) ?? undecoded
    if (valid !== undecoded) return { value: valid as Partial<Schema.Struct.Type<F>>, problems: {} }
    const all = whole()(input)
    if (Either.isRight(all)) return { value: all.right as Partial<Schema.Struct.Type<F>>, problems: {} }
    const value: { [name: string]: unknown } = {}
    for (const { name, nested, decode } of fields()) {
      const one = decode(input)
      const inner = input[name]
      if (Either.isRight(one)) Object.assign(value, one.right)
      else if (nested !== undefined && isJsonRecord(inner)) value[name] = nested(inner).value
    }
    return { value: value as Partial<Schema.Struct.Type<F>>, problems: problemsOf(all.left) }
  }
}

/** Merges problems by field, without duplicates. */
export const joinProblems = (one: Problems, other: Problems): Problems => {
  const joined: { [field: string]: ReadonlyArray<string> } = { ...one }
  for (const [field, message] of Object.entries(other))
    joined[field] = [...new Set([...(joined[field] ?? []), ...message])]
  return joined
}

const decoder = (schema: Schema.Schema.All) =>
  ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>, { errors: "all", onExcessProperty: "ignore" })
