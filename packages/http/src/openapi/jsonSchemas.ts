import { OpenApiJsonSchema } from "@effect/platform"
import { Record, Schema, type SchemaAST } from "effect"
import { isJson, type Json } from "./Json.js"

/** Turns schemas into JSON Schema; those with an identifier become components that the others refer to. */
export interface JsonSchemas {
  readonly of: (ast: SchemaAST.AST) => Json
  /** Every component so far, by name. */
  readonly components: () => { readonly [name: string]: Json }
}

export const jsonSchemas = (): JsonSchemas => {
  const defs: { [name: string]: unknown } = {}
  return {
    of: (ast) =>
      plain(OpenApiJsonSchema.makeWithDefs(Schema.make(ast), { defs, additionalPropertiesStrategy: "allow" })) as Json,
    components: () =>
      Object.fromEntries(
        Object.entries(defs)
          .filter(([name]) => name !== "Int")
          .map(([name, schema]) => [name, plain(schema) as Json])
      )
  }
}

/** The same, said in the shortest way that readers and generators of clients understand. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isJson(value)) return value
  if (value.$ref === "#/components/schemas/Int") return { type: "integer" }
  const schema: { [key: string]: unknown } = {}
  for (const [key, inner] of Object.entries(value)) {
    if (saysNothing(key, inner)) continue
    if (key === "examples") schema[key] = inner
    else schema[key] = key === "properties" && isJson(inner) ? Record.map(inner, plain) : plain(inner)
  }
  return merged(schema)
}

/** Unknown fields are ignored in what is taken and may come in what is given: every object is open. */
const saysNothing = (key: string, value: unknown): boolean => {
  switch (key) {
    case "$schema":
      return true
    case "$id":
      return value === "/schemas/unknown"
    case "title":
      return value === "unknown"
    case "additionalProperties":
      return typeof value === "boolean" || (isJson(value) && value.$id === "/schemas/unknown")
    case "required":
      return Array.isArray(value) && value.length === 0
    case "properties":
      return isJson(value) && Object.keys(value).length === 0
    default:
      return false
  }
}

/** A value that may be null too, or one of several lists of words, is a single schema where that is possible. */
const merged = ({ anyOf, allOf, ...rest }: Json): Json => {
  // A component with a remark of its own around it.
  if (Array.isArray(allOf) && allOf.length === 1 && isJson(allOf[0])) return { ...allOf[0], ...rest }
  if (!Array.isArray(anyOf)) return { ...rest, ...(allOf === undefined ? {} : { allOf }) }
  const types = anyOf.filter(isJson)
  const present = types.filter(({ type }) => type !== "null")
  const [first] = present
  if (first === undefined || !present.every(({ type }) => typeof type === "string" && type === first.type)) {
    return { ...rest, anyOf }
  }
  const isNullable = present.length < types.length
  const values = present.every((type) => Array.isArray(type.enum)) ? present.flatMap((type) => type.enum) : null
  if (present.length > 1 && values === null) return { ...rest, anyOf }
  return {
    ...first,
    ...rest,
    ...(isNullable ? { type: [first.type, "null"] } : {}),
    ...(values === null ? {} : { enum: isNullable ? [...values, null] : values })
  }
}
