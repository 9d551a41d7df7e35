import { ParseResult, Schema, SchemaAST } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { lazy } from "../lazy.js"
import { boundedList } from "./Fields.js"

/** A JSON object. */
export type JsonRecord = { readonly [field: string]: unknown }

/** Whether the value is a JSON object; a list is not. */
export const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Whether a field has a value. Absent, null and empty count as no value
 * (docs/reference/requests.md#absent-null-and-empty).
 */
export const hasValue = (given: JsonRecord, field: string): boolean =>
  Object.hasOwn(given, field) && given[field] != null && given[field] !== ""

/** Validation messages by path of the field, relative to the value. An empty path means the value itself. */
export type PathProblems = ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, message: string]>

/** Decodes and encodes. Compiles the schema at the first use: to compile all of them took 15 % of a host's start. */
const parserOf = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = lazy(() => ParseResult.decodeUnknownEither(schema))
  const encode = lazy(() => ParseResult.encodeUnknownEither(schema))
  return {
    decode: (given: unknown, options: SchemaAST.ParseOptions) => decode()(given, options),
    encode: (value: unknown, options: SchemaAST.ParseOptions) => encode()(value, options)
  }
}

/**
 * Adds rules to a schema that see the whole input. Their problems are reported together with those of the schema, not
 * after they are corrected. The JSON Schema is unchanged.
 */
export const withRules = <A, I>(
  schema: Schema.Schema<A, I>,
  rules: (given: unknown) => PathProblems
): Schema.Schema<A, unknown> => {
  const { decode, encode } = parserOf(schema)
  return Schema.transformOrFail(Schema.Unknown, Schema.typeSchema(schema), {
    strict: true,
    decode: (given, options, ast) => {
      const read = decode(given, options)
      const issues = rules(given).map(([[step, ...steps], message]) => {
        const issue = new ParseResult.Type(ast, given, message)
        return step === undefined ? issue : new ParseResult.Pointer([step, ...steps], given, issue)
      })
      const [first, ...others] = read._tag === "Left" ? [read.left, ...issues] : issues
      return first === undefined ? read : ParseResult.fail(new ParseResult.Composite(ast, given, [first, ...others]))
    },
    encode: (value, options) => encode(value, options)
  }).annotations({ [SchemaAST.SurrogateAnnotationId]: schema.ast })
}

/** Bounds for naming unknown fields in messages: their number, and the form and length of a name. */
const maxListedFields = 10
const listableField = /^[A-Za-z][\w-]{0,31}$/

/**
 * A struct schema that refuses unknown fields. Other bodies ignore them (docs/reference/requests.md#unknown-fields),
 * but definitions are written by hand and run later, so that a misspelt `on_eror` has to be reported at once. `what`
 * names the object in messages; `rules` return further problems by wire name.
 */
export const strictStruct = <A, I>(
  what: string,
  schema: Schema.Schema<A, I>,
  rules: (given: JsonRecord) => Problems = () => ({})
): Schema.Schema<A, unknown> => {
  const { ast } = Schema.encodedSchema(schema)
  const fields = new Set(SchemaAST.getPropertySignatures(ast).map(({ name }) => name))
  return withRules(schema, (given) => {
    if (!isJsonRecord(given)) return []
    const unknown = Object.keys(given).filter((field) => !fields.has(field))
    const named = unknown.length <= maxListedFields && unknown.every((field) => listableField.test(field))
    return [
      ...(named
        ? unknown.map((field) => [[field], `is not a field of ${what}`] as const)
        : [[[], `must have no fields but ${[...fields].join(", ")}`] as const]),
      ...Object.entries(rules(given)).flatMap(([field, all]) =>
        all.map((message) => [field === "" ? [] : [field], message] as const)
      )
    ]
  })
}

/** A rule of {@link strictStruct}: exactly one of these fields is present. */
export const exactlyOne =
  (...fields: ReadonlyArray<string>) =>
  (given: JsonRecord): Problems =>
    fields.filter((field) => Object.hasOwn(given, field)).length === 1
      ? {}
      : { "": [`must have exactly one of ${fields.join(", ")}`] }

/** A union of objects with a discriminator `type`. Problems are those of the member with the given `type` only. */
export const byType = <M extends { readonly [type: string]: Schema.Schema.AnyNoContext }>(
  members: M
): Schema.Schema<Schema.Schema.Type<M[keyof M]>, unknown> => {
  const all = Object.entries<Schema.Schema.AnyNoContext>(members)
  const parsers = new Map(all.map(([type, member]) => [type, parserOf(member)]))
  return Schema.transformOrFail(Schema.Unknown, Schema.Any, {
    strict: true,
    decode: (given, options, ast) => {
      if (!isJsonRecord(given)) return ParseResult.fail(new ParseResult.Type(ast, given, "must be an object"))
      const parser = typeof given.type === "string" ? parsers.get(given.type) : undefined
      if (parser !== undefined) return parser.decode(given, options)
      const message = hasValue(given, "type") ? `must be one of ${[...parsers.keys()].join(", ")}` : "is required"
      return ParseResult.fail(new ParseResult.Pointer("type", given, new ParseResult.Type(ast, given, message)))
    },
    encode: (value, options, ast) =>
      parsers.get(value?.type)?.encode(value, options) ?? ParseResult.fail(new ParseResult.Type(ast, value))
  }).annotations({ [SchemaAST.SurrogateAnnotationId]: Schema.Union(...all.map(([, member]) => member)).ast })
}

/**
 * A list of `min` to `max` items. The length is checked before any item is decoded. Unlike `listOf` of `Fields.ts`, the
 * JSON Schema can refer to components for the items.
 */
export const listOfParts = <A, I>(
  item: Schema.Schema<A, I>,
  max: number,
  min = 0
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const list = Schema.Array(item)
  return Schema.compose(boundedList(max, min), list, { strict: false }).annotations({
    [SchemaAST.SurrogateAnnotationId]: list.ast,
    jsonSchema: { ...(min === 0 ? {} : { minItems: min }), maxItems: max }
  })
}
