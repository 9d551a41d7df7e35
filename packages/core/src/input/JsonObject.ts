import { Schema } from "effect"
import { text } from "./Fields.js"

/** The most levels that objects and lists in a JSON object may be nested, itself included (decisions.md §13). */
export const mostLevels = 32

const isStorableText = Schema.is(text(Number.POSITIVE_INFINITY))

type Fields = { readonly [key: string]: unknown }

const isNested = (value: unknown): value is Fields => typeof value === "object" && value !== null

const isDeeper = (value: Fields, levels: number): boolean =>
  levels === 0 || Object.values(value).some((inner) => isNested(inner) && isDeeper(inner, levels - 1))

/** Why it cannot be kept, or undefined. Depth comes first: whatever looks into a value, here or later, ends in time. */
const problemOf = (value: unknown): string | undefined =>
  !isNested(value) || Array.isArray(value)
    ? "must be an object"
    : isDeeper(value, mostLevels)
      ? `must be nested at most ${mostLevels} levels deep`
      : unstorable(value)

const unstorable = (value: unknown): string | undefined => {
  if (typeof value === "string" && !isStorableText(value)) return "must hold valid Unicode text without U+0000 only"
  // JSON has numbers that are none here, such as 1e999; they would come back as null.
  if (typeof value === "number" && !Number.isFinite(value)) return "must hold numbers below 1.8e308 only"
  if (!isNested(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const problem = unstorable(key) ?? unstorable(inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A JSON object of any shape that can be stored and comes back as it was given. */
export const JsonObject: Schema.Schema<Fields> = Schema.Unknown.pipe(
  // Taken whole: a copy key by key would lose one named `__proto__`.
  Schema.filter((value) => problemOf(value) ?? true, { jsonSchema: { type: "object" } })
) as unknown as Schema.Schema<Fields>
