import { isJson, type Json } from "./Json.js"

/**
 * A value that fits a schema: its own example, else one made of its parts, with every field that is required or has an
 * example. What may be null is null, unless it is a component that is an object. `components` are those that the schema
 * refers to.
 */
export const exampleOf = (schema: Json, components: { readonly [name: string]: Json }): unknown => {
  const inner = (part: unknown): unknown => exampleOf(isJson(part) ? part : {}, components)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (typeof schema.$ref === "string") return inner(components[nameOf(schema.$ref)])
  if ("default" in schema) return schema.default
  const types = [schema.type ?? []].flat()
  if (types.includes("null")) return null
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choices = [schema.anyOf ?? schema.oneOf ?? []].flat().filter(isJson)
  if (choices.length > 0) {
    const selected = inner(choices[0])
    return choices.some(({ type }) => type === "null") && !isJson(selected) ? null : selected
  }
  switch (types[0]) {
    case "object": {
      const required = Array.isArray(schema.required) ? schema.required : []
      const properties = Object.entries(isJson(schema.properties) ? schema.properties : {})
      return Object.fromEntries(
        properties
          .filter(([name, part]) => required.includes(name) || (isJson(part) && "examples" in part))
          .map(([name, part]) => [name, inner(part)])
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
      return schema.format === "uuid" ? "0190a1b2-0000-7000-8000-000000000001" : "example"
    default:
      return null
  }
}

/** The name at the end of a reference to a component. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)
