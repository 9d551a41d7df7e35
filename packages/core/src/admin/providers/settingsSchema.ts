import { JSONSchema, Record, Schema, SchemaAST } from "effect"

/** A JSON Schema (draft 7), or one within it. */
export const SettingsSchema = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type SettingsSchema = typeof SettingsSchema.Type

/**
 * What settings look like on the wire, whole and without references: each field with the title and the description that its
 * schema was given. A provider may check more than JSON Schema can say.
 */
export const settingsSchema = ({ ast }: Schema.Schema.AnyNoContext): SettingsSchema => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  ...told({ ...JSONSchema.fromAST(ast, { definitions: {}, topLevelReferenceStrategy: "skip" }) }, ast)
})

/** Effect leaves the titles and descriptions of some fields out: of refined ones that say themselves what they are in JSON Schema. */
const told = (json: SettingsSchema, ast: SchemaAST.AST): SettingsSchema => {
  if (!isObject(json.properties)) return json
  const fields = new Map(fieldsOf(ast).map((field) => [field.name, field]))
  const properties = Object.entries(json.properties).map(([name, property]) => {
    const field = fields.get(name)
    return [name, field && isObject(property) ? { ...told(property, field.type), ...words(field) } : property]
  })
  return { ...json, properties: Object.fromEntries(properties) }
}

const isObject = Schema.is(SettingsSchema)

interface Field {
  readonly name: PropertyKey
  readonly type: SchemaAST.AST
  readonly signature: SchemaAST.Annotated
}

/** The fields of an object in its wire shape. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map((signature) => ({ name: signature.name, type: signature.type, signature }))
    case "Refinement":
      return fieldsOf(ast.from)
    case "Transformation": {
      // What was said of a field that is not transformed itself stands on the other side.
      const signatures = new Map(
        SchemaAST.getPropertySignatures(ast.to).map((signature) => [signature.name, signature])
      )
      return fieldsOf(ast.from).map((field) => ({ ...field, signature: signatures.get(field.name) ?? field.signature }))
    }
    default:
      return []
  }
}

/** What a field was called. Keywords, such as plain text, bring words of Effect's own. */
const words = ({ signature, type }: Field): SettingsSchema => ({
  ...(SchemaAST.isRefinement(type) || SchemaAST.isTransformation(type) ? wordsOf(type) : {}),
  ...wordsOf(signature)
})

const wordsOf = (annotated: SchemaAST.Annotated): SettingsSchema =>
  Record.getSomes({
    title: SchemaAST.getTitleAnnotation(annotated),
    description: SchemaAST.getDescriptionAnnotation(annotated)
  })
