import { Schema } from "effect"
import { isStorable } from "./Fields.js"

/** Maximum nesting depth of a JSON object, itself included (docs/reference/requests.md#free-json-objects). */
export const maxDepth = 32

type Fields = { readonly [key: string]: unknown }

const isNested = (value: unknown): value is Fields => typeof value === "object" && value !== null

const notStorable = "must hold valid Unicode text without U+0000 only"

/**
 * Validation message, or undefined. One walk without recursion, level by level: the depth that it accepts bounds the
 * recursion of everything that reads the value later.
 */
const problemOf = (value: unknown): string | undefined => {
  if (!isNested(value) || Array.isArray(value)) return "must be an object"
  let level: ReadonlyArray<Fields> = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`
    const next: Array<Fields> = []
    const problemIn = (inner: unknown): string | undefined => {
      if (typeof inner === "string" && !isStorable(inner)) return notStorable
      // JSON numbers such as 1e999 parse to Infinity and would be serialised as null.
      if (typeof inner === "number" && !Number.isFinite(inner)) return "must hold numbers below 1.8e308 only"
      if (isNested(inner)) next.push(inner)
      return undefined
    }
    for (const nested of level) {
      const problem = Array.isArray(nested)
        ? firstProblem(nested, problemIn)
        : firstProblem(Object.keys(nested), (key) => problemIn(key) ?? problemIn(nested[key]))
      if (problem !== undefined) return problem
    }
    level = next
  }
  return undefined
}

const firstProblem = <A>(items: ReadonlyArray<A>, problemOf: (item: A) => string | undefined): string | undefined => {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A JSON object of any shape that can be stored and read back unchanged. */
export const JsonObject: Schema.Schema<Fields> = Schema.Unknown.pipe(
  // The value is not copied: a copy key by key would lose the key `__proto__`.
  Schema.filter((value) => problemOf(value) ?? true, { jsonSchema: { type: "object" } })
) as unknown as Schema.Schema<Fields>
