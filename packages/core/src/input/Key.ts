import { Schema } from "effect"
import { text, Words } from "./Fields.js"

/** The most characters of a {@link key}. */
export const keyLength = 64

/** A name that machines use and people choose: 1 to 64 letters, digits, `_` and `-`, beginning with a letter. */
export const key: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((value) => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(value), {
    jsonSchema: { type: "string", pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$" },
    [Words]: `must be 1 to ${keyLength} letters, digits, _ or -, beginning with a letter`
  })
)

/** A key as callers repeat it: whether there is such a one is for the data to tell. */
export const keyGiven: Schema.Schema<string> = text(keyLength)
