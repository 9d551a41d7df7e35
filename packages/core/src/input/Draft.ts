import { Either, ParseResult, Schema } from "effect"
import type { Problems } from "../errors/Refusal.js"
import { problemsOf } from "./problemsOf.js"

/**
 * An input as far as it could be read: the fields that are well-formed, and the problems of those that are not. Rules that
 * need data look at the former, so that all problems of a request are told at once (decisions.md §2, step 8).
 */
export interface Draft<A> {
  readonly value: Partial<A>
  readonly problems: Problems
}

/** Reads an input in wire shape. Unknown fields are ignored. */
export const draft = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) => {
  const whole = decoder(schema)
  const fields = Object.entries(schema.fields).map(([name, field]) => {
    const nested = nestedStruct(field)
    return {
      name,
      nested: nested === undefined ? undefined : draft(nested),
      decode: decoder(Schema.Struct({ [name]: field }))
    }
  })
  return (input: { readonly [key: string]: unknown }): Draft<Schema.Struct.Type<F>> => {
    const all = whole(input)
    if (Either.isRight(all)) return { value: all.right as Partial<Schema.Struct.Type<F>>, problems: {} }
    const value: { [name: string]: unknown } = {}
    for (const { name, nested, decode } of fields) {
      const one = decode(input)
      const inner = input[name]
      if (Either.isRight(one)) Object.assign(value, one.right)
      else if (nested !== undefined && isObject(inner)) value[name] = nested(inner).value
    }
    return { value: value as Partial<Schema.Struct.Type<F>>, problems: problemsOf(all.left) }
  }
}

/** Problems of both. */
export const joinProblems = (one: Problems, other: Problems): Problems => {
  const joined: { [field: string]: ReadonlyArray<string> } = { ...one }
  for (const [field, words] of Object.entries(other)) joined[field] = [...new Set([...(joined[field] ?? []), ...words])]
  return joined
}

const decoder = (schema: Schema.Schema.All) =>
  ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>, { errors: "all", onExcessProperty: "ignore" })

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nestedStruct = (field: unknown): Schema.Struct<Schema.Struct.Fields> | undefined =>
  Schema.isSchema(field) && "fields" in field ? (field as Schema.Struct<Schema.Struct.Fields>) : undefined
