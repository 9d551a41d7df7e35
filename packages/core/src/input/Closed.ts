import { ParseResult, Schema, SchemaAST } from "effect"
import type { Problems } from "../errors/Refusal.js"

/** A value of JSON that is an object. */
export type Given = { readonly [field: string]: unknown }

/** Whether the value is an object, and no list. */
export const isGiven = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a field of an object says something: what is absent, null or empty says nothing (decisions.md §2). */
export const says = (given: Given, field: string): boolean =>
  Object.hasOwn(given, field) && given[field] != null && given[field] !== ""

/** Problems by the path of their field from the value on; an empty path is the value itself. */
export type Told = ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, words: string]>

/**
 * The schema, and rules that look at all that was given, so that what they find is told together with the problems of its
 * parts and not after them. In JSON Schema it is what it was before.
 */
export const ruled = <A, I>(
  schema: Schema.Schema<A, I>,
  rules: (given: unknown) => Told
): Schema.Schema<A, unknown> => {
  const decode = ParseResult.decodeUnknownEither(schema)
  const encode = ParseResult.encodeEither(schema)
  return Schema.transformOrFail(Schema.Unknown, Schema.typeSchema(schema), {
    strict: true,
    decode: (given, options, ast) => {
      const read = decode(given, options)
      const told = rules(given).map(([[step, ...steps], words]) => {
        const issue = new ParseResult.Type(ast, given, words)
        return step === undefined ? issue : new ParseResult.Pointer([step, ...steps], given, issue)
      })
      const [first, ...others] = read._tag === "Left" ? [read.left, ...told] : told
      return first === undefined ? read : ParseResult.fail(new ParseResult.Composite(ast, given, [first, ...others]))
    },
    encode: (value, options) => encode(value, options)
  }).annotations({ [SchemaAST.SurrogateAnnotationId]: schema.ast })
}

/** How many unknown fields are told by their names, and how long names are that are told. */
const mostTold = 10
const tellable = /^[A-Za-z][\w-]{0,31}$/

/**
 * An object that has the fields of the schema and no others. Elsewhere unknown fields of a body are ignored
 * (decisions.md §2); what people write by hand and what runs later without them is read strictly, or a misspelt
 * `on_eror` would be found out only when it matters. `what` names the object in words; `rules` find more, by wire name.
 */
export const closed = <A, I>(
  what: string,
  schema: Schema.Schema<A, I>,
  rules: (given: Given) => Problems = () => ({})
): Schema.Schema<A, unknown> => {
  const { ast } = Schema.encodedSchema(schema)
  const fields = new Set(SchemaAST.getPropertySignatures(ast).map(({ name }) => name))
  return ruled(schema, (given) => {
    if (!isGiven(given)) return []
    const unknown = Object.keys(given).filter((field) => !fields.has(field))
    const named = unknown.length <= mostTold && unknown.every((field) => tellable.test(field))
    return [
      ...(named
        ? unknown.map((field) => [[field], `is not a field of ${what}`] as const)
        : [[[], `must have no fields but ${[...fields].join(", ")}`] as const]),
      ...Object.entries(rules(given)).flatMap(([field, all]) =>
        all.map((words) => [field === "" ? [] : [field], words] as const)
      )
    ]
  })
}

/** A rule of {@link closed}: of these fields an object has one, and not two. */
export const exactlyOne =
  (...fields: ReadonlyArray<string>) =>
  (given: Given): Problems =>
    fields.filter((field) => Object.hasOwn(given, field)).length === 1
      ? {}
      : { "": [`must have exactly one of ${fields.join(", ")}`] }

/** One of several objects, told apart by their `type`: the problems are those of the one that was meant. */
export const byType = <M extends { readonly [type: string]: Schema.Schema.AnyNoContext }>(
  members: M
): Schema.Schema<Schema.Schema.Type<M[keyof M]>, unknown> => {
  const all = Object.entries<Schema.Schema.AnyNoContext>(members)
  const parsers = new Map(
    all.map(([type, member]) => [
      type,
      { decode: ParseResult.decodeUnknownEither(member), encode: ParseResult.encodeUnknownEither(member) }
    ])
  )
  return Schema.transformOrFail(Schema.Unknown, Schema.Any, {
    strict: true,
    decode: (given, options, ast) => {
      if (!isGiven(given)) return ParseResult.fail(new ParseResult.Type(ast, given, "must be an object"))
      const parser = typeof given.type === "string" ? parsers.get(given.type) : undefined
      if (parser !== undefined) return parser.decode(given, options)
      const words = says(given, "type") ? `must be one of ${[...parsers.keys()].join(", ")}` : "is required"
      return ParseResult.fail(new ParseResult.Pointer("type", given, new ParseResult.Type(ast, given, words)))
    },
    encode: (value, options, ast) =>
      parsers.get(value.type)?.encode(value, options) ?? ParseResult.fail(new ParseResult.Type(ast, value))
  }).annotations({ [SchemaAST.SurrogateAnnotationId]: Schema.Union(...all.map(([, member]) => member)).ast })
}

/** From `min` to `max` items, counted before any is looked at; in JSON Schema the items may be components. */
export const listOfParts = <A, I>(
  item: Schema.Schema<A, I>,
  max: number,
  min = 0
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const words = min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`
  const list = Schema.Array(item)
  return Schema.compose(
    Schema.Array(Schema.Unknown).pipe(Schema.filter((given) => (given.length >= min && given.length <= max) || words)),
    list,
    { strict: false }
  ).annotations({
    [SchemaAST.SurrogateAnnotationId]: list.ast,
    jsonSchema: { ...(min === 0 ? {} : { minItems: min }), maxItems: max }
  })
}
