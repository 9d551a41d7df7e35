import { JSONSchema, Record, Schema, SchemaAST } from "effect"

/** A JSON Schema (draft 7), or a subschema of one. */
export const SettingsSchema = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type SettingsSchema = typeof SettingsSchema.Type

/**
 * The JSON Schema of settings in wire shape, inlined without references, with the title and description of each field.
 * A provider may have rules that JSON Schema cannot express.
 */
export const settingsSchema = ({ ast }: Schema.Schema.AnyNoContext): SettingsSchema => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  ...annotatedSchema({ ...JSONSchema.fromAST(ast, { definitions: {}, topLevelReferenceStrategy: "skip" }) }, ast)
})

/**
 * Adds titles and descriptions that `JSONSchema` omits: those of refined fields that define their own JSON Schema
 * (docs/reference/libraries.md#json-schema-drops-annotations).
 */
const annotatedSchema = (json: SettingsSchema, ast: SchemaAST.AST): SettingsSchema => {
  if (!isObject(json.properties)) return json
  const fields = new Map(fieldsOf(ast).map((field) => [field.name, field]))
  const properties = Object.entries(json.properties).map(([name, property]) => {
    const field = fields.get(name)
    return [
      name,
      field && isObject(property) ? { ...annotatedSchema(property, field.type), ...message(field) } : property
    ]
  })
  return { ...json, properties: Object.fromEntries(properties) }
}

const isObject = Schema.is(SettingsSchema)

interface Field {
  readonly name: PropertyKey
  readonly type: SchemaAST.AST
  readonly signature: SchemaAST.Annotated
}

/** The fields of an object in wire shape. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map((signature) => ({ name: signature.name, type: signature.type, signature }))
    case "Refinement":
      return fieldsOf(ast.from)
    case "Transformation": {
      // The annotations of a field that is not transformed are on the `to` side.
      const signatures = new Map(
        SchemaAST.getPropertySignatures(ast.to).map((signature) => [signature.name, signature])
      )
      return fieldsOf(ast.from).map((field) => ({ ...field, signature: signatures.get(field.name) ?? field.signature }))
    }
    default:
      return []
  }
}

/**
 * Title and description of a field. Keyword schemas such as `Schema.String` are skipped: their annotations are defaults
 * of Effect.
 */
const message = ({ signature, type }: Field): SettingsSchema => ({
  ...(SchemaAST.isRefinement(type) || SchemaAST.isTransformation(type) ? wordsOf(type) : {}),
  ...wordsOf(signature)
})

const wordsOf = (annotated: SchemaAST.Annotated): SettingsSchema =>
  Record.getSomes({
    title: SchemaAST.getTitleAnnotation(annotated),
    description: SchemaAST.getDescriptionAnnotation(annotated)
  })
