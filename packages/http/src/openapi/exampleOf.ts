import { isJson, type Json } from "./Json.js"

/**
 * A value that fits a schema: the example of a component where it has one, else made of its parts. `components` are those
 * that the schema refers to.
 */
export const exampleOf = (schema: Json, components: { readonly [name: string]: Json }): unknown => {
  const inner = (part: unknown): unknown => exampleOf(isJson(part) ? part : {}, components)
  if (typeof schema.$ref === "string") return inner(components[nameOf(schema.$ref)])
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ("default" in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [first] = [schema.anyOf ?? schema.oneOf ?? []].flat()
  if (first !== undefined) return inner(first)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object": {
      const required = Array.isArray(schema.required) ? schema.required : []
      const properties = Object.entries(isJson(schema.properties) ? schema.properties : {})
      return Object.fromEntries(
        properties.filter(([name]) => required.includes(name)).map(([name, part]) => [name, inner(part)])
      )
    }
    case "array":
      return [inner(schema.items)]
    case "integer":
    case "number":
      return schema.minimum ?? 1
    case "boolean":
      return false
    case "string":
      return schema.format === "uuid" ? "0190a1b2-0000-7000-8000-000000000001" : "text"
    default:
      return null
  }
}

/** The name at the end of a reference to a component. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)
