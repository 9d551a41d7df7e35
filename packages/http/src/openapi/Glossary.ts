import type { Schema } from "effect"
import type { Json } from "./Json.js"

/** What readers of a document are told of a component beyond its schema. */
export interface Entry<Encoded = unknown> {
  readonly description: string
  readonly example?: Encoded
  /** Where one does not do, by name. */
  readonly examples?: { readonly [name: string]: Encoded }
  /** Descriptions of fields by wire name, nested ones as `message.body`. */
  readonly fields?: { readonly [field: string]: string }
}

/** Entries by the identifiers of components. */
export interface Entries {
  readonly [name: string]: Entry
}

/** What readers are told: of components by their identifiers, of parameters by their names. */
export interface Glossary {
  readonly components: Entries
  readonly parameters: { readonly [name: string]: string }
}

/** An entry whose examples have the shape that the schema has on the wire. */
export const entry = <S extends Schema.Schema.Any>(_schema: S, its: Entry<Schema.Schema.Encoded<S>>): Entry => its

/** A component with what the glossary says of it. */
export const explained = (schema: Json, its: Entry | undefined): Json => {
  if (its === undefined) return schema
  const { description, example, examples = example === undefined ? {} : { example }, fields = {} } = its
  const described = Object.entries(fields).reduce(
    (whole, [field, words]) => withDescription(whole, field.split("."), words),
    schema
  )
  const values = Object.values(examples)
  return { description, ...described, ...(values.length === 0 ? {} : { examples: values }) }
}

const withDescription = (schema: Json, [name, ...inner]: ReadonlyArray<string>, description: string): Json => {
  if (name === undefined) return { ...schema, description }
  const [key, holder] = "items" in schema ? ["items", schema.items as Json] : [null, schema]
  const properties = holder.properties as { readonly [name: string]: Json }
  const field = properties?.[name]
  if (field === undefined) throw new Error(`The glossary describes ${name}, which is no field.`)
  const changed = { ...holder, properties: { ...properties, [name]: withDescription(field, inner, description) } }
  return key === null ? changed : { ...schema, items: changed }
}
