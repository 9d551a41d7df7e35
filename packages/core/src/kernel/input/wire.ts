import { Record, Schema, SchemaAST } from "effect"
import { Timestamp } from "../../model/Instant.js"
import { sampleIds } from "./samples.js"

/** Description and examples of a field in the OpenAPI document. Examples are decoded values. */
export type Meaning<A> = {
  readonly description?: string
  readonly examples?: readonly [A, ...ReadonlyArray<A>]
}

type Token = Schema.PropertySignature.Token

const described = (schema: Schema.Schema.All | Schema.PropertySignature.All, meaning: Meaning<unknown>) => {
  const signature = Schema.isSchema(schema) ? Schema.propertySignature(schema) : schema
  return (signature as Schema.PropertySignature<Token, unknown, PropertyKey, Token, unknown>).annotations({
    ...meaning
  })
}

/**
 * A field of a {@link component} with its meaning. It is annotated as a field, so that its schema may be any schema.
 */
export function field<T extends Token, A, K extends PropertyKey, E extends Token, I, D extends boolean, R>(
  schema: Schema.PropertySignature<T, A, K, E, I, D, R>,
  meaning: Meaning<NoInfer<A>>
): Schema.PropertySignature<T, A, K, E, I, D, R>
export function field<A, I, R>(
  schema: Schema.Schema<A, I, R>,
  meaning: Meaning<NoInfer<A>>
): Schema.PropertySignature<":", A, never, ":", I, false, R>
export function field(
  schema: Schema.Schema.All | Schema.PropertySignature.All,
  meaning: Meaning<unknown>
): Schema.PropertySignature.All {
  return described(schema, meaning)
}

/** A field that has another name on the wire, with its meaning. */
export function wire<N extends string, T extends Token, A, E extends Token, I, D extends boolean, R>(
  name: N,
  schema: Schema.PropertySignature<T, A, PropertyKey, E, I, D, R>,
  meaning?: Meaning<NoInfer<A>>
): Schema.PropertySignature<T, A, N, E, I, D, R>
export function wire<N extends string, A, I, R>(
  name: N,
  schema: Schema.Schema<A, I, R>,
  meaning?: Meaning<NoInfer<A>>
): Schema.PropertySignature<":", A, N, ":", I, false, R>
export function wire(
  name: string,
  schema: Schema.Schema.All | Schema.PropertySignature.All,
  meaning: Meaning<unknown> = {}
): Schema.PropertySignature.All {
  return described(schema, meaning).pipe(Schema.fromKey(name))
}

/** The name on the wire of a field that has no other one. */
export const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The examples of a component by name, as they are on the wire; see {@link component}. */
export const Examples: unique symbol = Symbol.for("@parley/core/Examples")

/**
 * An object that is a component of the OpenAPI document. Its example consists of those of its fields; `examples` are
 * whole ones by name, in wire form, for fields whose examples do not fit together.
 */
export const component = <F extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: F,
  examples?: { readonly [name: string]: Schema.Struct.Encoded<F> }
): Schema.Struct<F> => {
  const annotations = { description, ...(examples && { jsonSchema: { examples: Object.values(examples) } }) }
  return part(fields, annotations).annotations({ identifier, ...(examples && { [Examples]: examples }) })
}

/**
 * An object inside a component. Its JSON Schema is made from its wire side, which alone has all annotations.
 */
export const part = <F extends Schema.Struct.Fields>(
  fields: F,
  annotations: Schema.Annotations.Schema<unknown> = {}
): Schema.Struct<F> => {
  const signatures = Object.entries(fields).map(([name, field]) => {
    if (Schema.isSchema(field)) return new SchemaAST.PropertySignature(name, field.ast, false, true)
    const ast = field.ast as Schema.PropertySignature.AST
    if (ast._tag === "PropertySignatureDeclaration") {
      return new SchemaAST.PropertySignature(name, ast.type, ast.isOptional, true, ast.annotations)
    }
    const { from, to } = ast
    const meaning = { ...to.annotations, ...from.annotations }
    return new SchemaAST.PropertySignature(from.fromKey ?? name, from.type, from.isOptional, true, meaning)
  })
  const wireSide = Schema.make(new SchemaAST.TypeLiteral(signatures, [])).annotations(annotations)
  return Schema.Struct(fields).annotations({ [SchemaAST.SurrogateAnnotationId]: wireSide.ast })
}

/** Ids on the wire of the resources. */
export const ids = Record.map(sampleIds, (example) =>
  Schema.String.annotations({ jsonSchema: { format: "uuid", examples: [example] } })
)

/** An id, or null. */
export const nullableId = Schema.NullOr(Schema.String.annotations({ jsonSchema: { format: "uuid" } }))

/** Fields of many resources. */
export const workspaceId = wire("workspace_id", ids.workspace)
export const applicationId = wire("application_id", ids.application)
export const endpointApplicationId = wire("application_id", Schema.NullOr(ids.application), {
  description: "Null for a subscription to the events of the whole workspace."
})
export const contactId = wire("contact_id", ids.contact)
export const conversationId = wire("conversation_id", ids.conversation)
export const connectionId = wire("connection_id", ids.connection)
export const createdAt = wire("created_at", Timestamp)
