import { JSONSchema, Schema, SchemaAST } from "effect"

/**
 * The fields that bodies and queries are made of. Each says in our own words what it wants (`must be …`), and never
 * echoes what it got (decisions.md §2).
 */

/** What a value must be, in words for `details`; read by {@link problemsOf}. */
export const Words: unique symbol = Symbol.for("@parley/core/Words")

/** The schema, with the words for a value that does not fit it. */
export const worded =
  (words: string) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema.annotations({ [Words]: words })

/** The words that a schema was given. */
export const wordsOf = (ast: SchemaAST.AST): string | undefined => ast.annotations[Words] as string | undefined

const unstorable = /\0|\p{Cs}/u

/** Length in Unicode code points, as JSON Schema counts. */
export const lengthOf = (text: string): number => {
  let length = text.length
  for (const _ of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) length -= 1
  return length
}

/** Why this text cannot be taken, or undefined. U+0000 and lone surrogates: databases differ on them. */
const textProblem = (text: string, max: number): string | undefined =>
  text.length > max && lengthOf(text) > max
    ? `must be at most ${max} characters`
    : unstorable.test(text)
      ? "must be valid Unicode text without U+0000"
      : undefined

/** Text of at most `max` characters. */
export const text = (max: number): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((value) => textProblem(value, max) ?? true),
    Schema.annotations({ jsonSchema: { type: "string", maxLength: max } })
  )

/** Text of 1 to `max` characters. */
export const requiredText = (max: number): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((value) => (value.trim() === "" ? "is required" : (textProblem(value, max) ?? true))),
    Schema.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } })
  )

/** A field that may be absent, null or (for text) empty, all of which are null. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => {
  const blankIsNull = Schema.transform(Schema.Unknown, Schema.NullOr(schema), {
    strict: false,
    decode: (value) => (value === "" || value === undefined ? null : value),
    encode: (value) => value
  }).annotations({ jsonSchema: nullable(schema) })
  return Schema.optionalWith(blankIsNull, { default: () => null })
}

/** How JSON Schema says that a value of this schema may be null too. */
export const nullable = (schema: Schema.Schema.Any): object => {
  const own = SchemaAST.getJSONSchemaAnnotation(schema.ast)
  if (own._tag === "None" || !("type" in own.value)) return {}
  const values = "enum" in own.value ? { enum: [...(own.value.enum as ReadonlyArray<string>), null] } : {}
  return { ...own.value, type: [own.value.type, "null"].flat(), ...values }
}

/** Text of at most `max` characters that may be left out. */
export const optionalText = (max: number) => optional(text(max))

/** One of the literals. */
export const oneOf = <L extends string>(literals: ReadonlyArray<L>): Schema.Schema<L> =>
  Schema.String.pipe(
    Schema.filter((value): value is L => (literals as ReadonlyArray<string>).includes(value), {
      jsonSchema: { type: "string", enum: [...literals] },
      [Words]: `must be one of ${literals.join(", ")}`
    })
  ) as unknown as Schema.Schema<L>

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is an id; one that is not cannot be found (decisions.md §2). */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** An id, lower-cased. */
export const uuid: Schema.Schema<string> = Schema.transform(
  Schema.String.pipe(Schema.filter(isUuid, { [Words]: "must be a UUID" })),
  Schema.String,
  { strict: true, decode: (value) => value.toLowerCase(), encode: (value) => value }
).annotations({ jsonSchema: { type: "string", format: "uuid" } })

/** A whole number of at least `min` and at most `max`. */
export const wholeNumber = (min: number, max: number): Schema.Schema<number> =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isSafeInteger(value) && value >= min && value <= max, {
      jsonSchema: { type: "integer", minimum: min, maximum: max },
      [Words]: `must be a whole number from ${min} to ${max}`
    })
  )

/** From `min` to `max` items. They are counted before any is looked at, so that a long list costs nothing. */
export const listOf = <A, I>(
  item: Schema.Schema<A, I>,
  max: number,
  min = 0
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const { $schema: _, ...items } = JSONSchema.make(item)
  const words = min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`
  const bounded = Schema.Array(Schema.Unknown).pipe(
    Schema.filter((given) => (given.length >= min && given.length <= max) || words)
  )
  return Schema.compose(bounded, Schema.Array(item), { strict: false }).annotations({
    jsonSchema: { type: "array", ...(min === 0 ? {} : { minItems: min }), maxItems: max, items }
  })
}
