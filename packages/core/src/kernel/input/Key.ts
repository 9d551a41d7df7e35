import { Schema } from "effect"
import { FieldMessage, text } from "./Fields.js"

/** Maximum length of a {@link key} in characters. */
export const keyLength = 64

const pattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** A machine-readable key chosen by people: 1 to 64 letters, digits, `_` and `-`, starting with a letter. */
export const key: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((value) => pattern.test(value), {
    jsonSchema: { type: "string", pattern: pattern.source },
    [FieldMessage]: `must be 1 to ${keyLength} letters, digits, _ or -, beginning with a letter`
  })
)

/** A reference to an existing key. Only its length is checked; the lookup decides whether it exists. */
export const keyGiven: Schema.Schema<string> = text(keyLength)
