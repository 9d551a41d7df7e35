import { Schema } from "effect"
import { text } from "./Fields.js"

const isStorableText = Schema.is(text(Number.POSITIVE_INFINITY))

const isStorable = (value: unknown): boolean => {
  if (typeof value === "string") return isStorableText(value)
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner))
}

/** A JSON object of any shape whose texts, keys included, can be stored. It must not be nested deeper than the stack. */
export const JsonObject: Schema.Schema<{ readonly [key: string]: unknown }> = Schema.Record({
  key: Schema.String,
  value: Schema.Unknown
}).pipe(
  Schema.filter((value) => isStorable(value) || "must hold valid Unicode text without U+0000 only", {
    jsonSchema: { type: "object" }
  })
)
