import { Schema } from "effect"
import { text } from "./Fields.js"

/** Maximum nesting depth of a JSON object, itself included (docs/reference/requests.md#free-json-objects). */
export const maxDepth = 32

const isStorableText = Schema.is(text(Number.POSITIVE_INFINITY))

type Fields = { readonly [key: string]: unknown }

const isNested = (value: unknown): value is Fields => typeof value === "object" && value !== null

const isDeeper = (value: Fields, levels: number): boolean =>
  levels === 0 || Object.values(value).some((inner) => isNested(inner) && isDeeper(inner, levels - 1))

/**
 * Validation message, or undefined. Checks the depth first, which bounds the recursion of everything that reads the
 * value later.
 */
const problemOf = (value: unknown): string | undefined =>
  !isNested(value) || Array.isArray(value)
    ? "must be an object"
    : isDeeper(value, maxDepth)
      ? `must be nested at most ${maxDepth} levels deep`
      : unstorable(value)

const unstorable = (value: unknown): string | undefined => {
  if (typeof value === "string" && !isStorableText(value)) return "must hold valid Unicode text without U+0000 only"
  // JSON numbers such as 1e999 parse to Infinity and would be serialised as null.
  if (typeof value === "number" && !Number.isFinite(value)) return "must hold numbers below 1.8e308 only"
  if (!isNested(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const problem = unstorable(key) ?? unstorable(inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A JSON object of any shape that can be stored and read back unchanged. */
export const JsonObject: Schema.Schema<Fields> = Schema.Unknown.pipe(
  // The value is not copied: a copy key by key would lose the key `__proto__`.
  Schema.filter((value) => problemOf(value) ?? true, { jsonSchema: { type: "object" } })
) as unknown as Schema.Schema<Fields>
