import { JSONSchema, Schema, type SchemaAST } from "effect"
import { channelNamePattern } from "../../model/Channel.js"

/**
 * Schemas for the fields of bodies and queries. Each has a validation message (`must be …`) that never contains the
 * given value (docs/reference/requests.md#validation-messages).
 */

/**
 * Annotation with the validation message for `details`; read by `problemsOf.ts`. A global symbol, whose name therefore
 * stays: schemas of providers may come from another copy of this package.
 */
export const FieldMessage: unique symbol = Symbol.for("@parley/core/Words")

/** Adds the validation message to a schema. */
export const withMessage =
  (message: string) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema.annotations({ [FieldMessage]: message })

/** The validation message of a schema, if it has one. */
export const messageOf = (ast: SchemaAST.AST): string | undefined => ast.annotations[FieldMessage] as string | undefined

const unstorable = /\0|\p{Cs}/u

/** Whether the text has neither U+0000 nor a lone surrogate, on which databases differ. */
export const isStorable = (text: string): boolean => !unstorable.test(text)

/** Length in Unicode code points, the unit of JSON Schema. */
export const lengthOf = (text: string): number => {
  let length = text.length
  for (const _ of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) length -= 1
  return length
}

/** Validation message, or undefined. */
const textProblem = (text: string, max: number): string | undefined =>
  text.length > max && lengthOf(text) > max
    ? `must be at most ${max} characters`
    : isStorable(text)
      ? undefined
      : "must be valid Unicode text without U+0000"

/** Text of at most `max` code points. */
export const text = (max: number): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((value) => textProblem(value, max) ?? true),
    Schema.annotations({ jsonSchema: { type: "string", maxLength: max } })
  )

/** Text of 1 to `max` code points that is not only white space. */
export const requiredText = (max: number): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((value) => (value.trim() === "" ? "is required" : (textProblem(value, max) ?? true))),
    Schema.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } })
  )

/** Annotation of a schema that decodes blank values to null: the schema of other values. Read by `fastDecode.ts`. */
export const NullIfBlank: unique symbol = Symbol.for("@parley/core/NullIfBlank")

/**
 * A field that may be absent, null or an empty string; all decode to null
 * (docs/reference/requests.md#absent-null-and-empty).
 */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => {
  const blankIsNull = Schema.transform(Schema.Unknown, Schema.NullOr(schema), {
    strict: false,
    decode: (value) => (value === "" || value === undefined ? null : value),
    encode: (value) => value
  }).annotations({ jsonSchema: nullable(schema), [NullIfBlank]: schema })
  return Schema.optionalWith(blankIsNull, { default: () => null })
}

/** The JSON Schema of a value that may also be null. */
export const nullable = (schema: Schema.Schema.Any): object => {
  const own: {
    readonly type?: unknown
    readonly enum?: ReadonlyArray<unknown>
    readonly anyOf?: ReadonlyArray<unknown>
  } = shapeOf(schema)
  if (own.type === undefined) {
    return own.anyOf === undefined ? own : { ...own, anyOf: [...own.anyOf, { type: "null" }] }
  }
  return { ...own, type: [own.type, "null"].flat(), ...(own.enum === undefined ? {} : { enum: [...own.enum, null] }) }
}

/** The JSON Schema of a part of another. */
export const shapeOf = (schema: Schema.Schema.Any): object => {
  const { $schema: _, ...shape } = JSONSchema.make(schema)
  return shape
}

/** Optional text of at most `max` code points. */
export const optionalText = (max: number) => optional(text(max))

/** One of the literals. */
export const oneOf = <L extends string>(literals: ReadonlyArray<L>): Schema.Schema<L> =>
  Schema.String.pipe(
    Schema.filter((value): value is L => (literals as ReadonlyArray<string>).includes(value), {
      jsonSchema: { type: "string", enum: [...literals] },
      [FieldMessage]: `must be one of ${literals.join(", ")}`
    })
  ) as unknown as Schema.Schema<L>

/**
 * The name of a channel. Whether a provider of the host declares it, a rule checks (`channelProblem`).
 */
export const channelName: Schema.Schema<string> = requiredText(32).annotations({
  jsonSchema: { type: "string", format: "channel", pattern: channelNamePattern.source }
})

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is an id. Other text matches no resource (docs/reference/requests.md#ids). */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** An id, decoded to lower case. */
export const uuid: Schema.Schema<string> = Schema.transform(
  Schema.String.pipe(Schema.filter(isUuid, { [FieldMessage]: "must be a UUID" })),
  Schema.String,
  { strict: true, decode: (value) => value.toLowerCase(), encode: (value) => value }
).annotations({ jsonSchema: { type: "string", format: "uuid" } })

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number): Schema.Schema<number> =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isSafeInteger(value) && value >= min && value <= max, {
      jsonSchema: { type: "integer", minimum: min, maximum: max },
      [FieldMessage]: `must be a whole number from ${min} to ${max}`
    })
  )

const list = Schema.declare((given): given is ReadonlyArray<unknown> => Array.isArray(given), {
  [FieldMessage]: "must be a list"
})

/**
 * A list of `min` to `max` items of any kind. Only the length is checked: `Schema.Array` would visit every item of a
 * list that is too long.
 */
export const boundedList = (max: number, min = 0): Schema.Schema<ReadonlyArray<unknown>> => {
  const message = min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`
  return list.pipe(Schema.filter((given) => (given.length >= min && given.length <= max) || message))
}

/** A list of `min` to `max` items. The length is checked before any item is decoded, which bounds the cost. */
export const listOf = <A, I>(
  item: Schema.Schema<A, I>,
  max: number,
  min = 0
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> =>
  Schema.compose(boundedList(max, min), Schema.Array(item), { strict: false }).annotations({
    jsonSchema: { type: "array", ...(min === 0 ? {} : { minItems: min }), maxItems: max, items: shapeOf(item) }
  })
