import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { NullIfBlank } from "./Fields.js"
import { isJsonRecord } from "./StrictStruct.js"

/** Result for an input that was not decoded: the caller decodes it with the schema, which reports problems. */
export const undecoded = Symbol("undecoded")

type Decode = (value: unknown) => unknown

interface FieldDecoder {
  readonly name: string
  readonly wireName: string
  readonly decode: Decode
  /** Value of an absent field; `undecoded` if the field is required. */
  readonly absent: () => unknown
}

/**
 * A decoder for valid inputs of a struct, with the results of its schema. It does not decode absent optional fields,
 * and does not validate again what it decoded. It returns no problems, and may return {@link undecoded} for a valid
 * input. Null for a struct without fields or with an index signature.
 */
export const fastDecode = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>): Decode | null => {
  if (schema.records.length > 0 || Object.keys(schema.fields).length === 0) return null
  const decoders = Object.entries(schema.fields).map(([name, field]) => fieldDecoder(name, field))
  return (input) => {
    if (!isJsonRecord(input)) return undecoded
    const value: { [name: string]: unknown } = {}
    for (const { absent, decode, name, wireName } of decoders) {
      const one = Object.hasOwn(input, wireName) ? decode(input[wireName]) : absent()
      if (one === undecoded) return undecoded
      if (one !== omitted) value[name] = one
    }
    return value
  }
}

/** A field that an object does not have. */
const omitted = Symbol("omitted")

const required = () => undecoded

const fieldDecoder = (name: string, field: Schema.Struct.Field): FieldDecoder => {
  if (Schema.isSchema(field)) return { name, wireName: name, decode: decoderOf(field), absent: required }
  const ast = field.ast as Schema.PropertySignature.AST
  if (ast._tag === "PropertySignatureDeclaration") {
    const absent = ast.isOptional ? () => omitted : required
    return { name, wireName: name, decode: decoderOf(Schema.make(ast.type)), absent }
  }
  const { from } = ast
  const decodeType = decoderOf(Schema.make(from.type))
  const settle = (given: Option.Option<unknown>) => Option.getOrElse(ast.decode(given), () => omitted)
  return {
    name,
    wireName: String(from.fromKey ?? name),
    decode: (value) => {
      const one = decodeType(value)
      return one === undecoded ? undecoded : settle(Option.some(one))
    },
    absent: from.isOptional ? () => settle(Option.none()) : required
  }
}

const decoderOf = (schema: Schema.Schema.Any): Decode => {
  const struct = nestedStruct(schema)
  const fast = struct === undefined ? null : fastDecode(struct)
  if (fast !== null) return fast
  const { ast } = schema
  const inner = ast.annotations[NullIfBlank] as Schema.Schema.Any | undefined
  if (inner !== undefined) {
    const decode = decoderOf(inner)
    return (value) => (value === "" || value === null || value === undefined ? null : decode(value))
  }
  // The type of an optional field, which may be undefined.
  if (SchemaAST.isUnion(ast) && ast.types.length === 2 && SchemaAST.isUndefinedKeyword(ast.types[1] ?? ast)) {
    return decoderOf(Schema.make(ast.types[0]))
  }
  const decode = ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>)
  return (value) => Either.getOrElse(decode(value), () => undecoded)
}

/** The struct that a schema is, if it is one without a refinement. */
export const nestedStruct = (field: unknown): Schema.Struct<Schema.Struct.Fields> | undefined =>
  Schema.isSchema(field) && "fields" in field ? (field as Schema.Struct<Schema.Struct.Fields>) : undefined
