import { Schema } from "effect"
import { type Instant, timestamp } from "../../model/Instant.js"
import { FieldMessage } from "./Fields.js"

const date = /^\d{4}-\d{2}-\d{2}$/
const time = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/
// A blank is an unescaped plus of a query string.
const offset = /^(?:z|([-+ ])((?:[01]\d|2[0-3]):[0-5]\d))$/i

/** Parses a date or date-time to ms; undefined if the text is neither. */
const instantOf = (text: string): Instant | undefined => {
  const [day = "", clock, ...more] = text.split(/t/i)
  if (!isDay(day) || more.length > 0) return undefined
  if (clock === undefined) return Date.parse(`${day}T00:00Z`)
  const end = clock.search(/[-+ z]/i)
  const local = end < 0 ? clock : clock.slice(0, end)
  const [zone, sign, hours] = end < 0 ? ["Z"] : (offset.exec(clock.slice(end)) ?? [])
  if (!time.test(local) || zone === undefined) return undefined
  return Date.parse(`${day}T${local}${hours === undefined ? "Z" : `${sign === "-" ? "-" : "+"}${hours}`}`)
}

/** Whether the date exists; `Date.parse` would roll 30 February over to March. */
export const isDay = (text: string): boolean => {
  const midnight = date.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}

/** A date (00:00 UTC) or a date-time (UTC without an offset) in ISO 8601, decoded to ms. */
export const dateOrTime: Schema.Schema<Instant, string> = Schema.transform(
  Schema.String.pipe(
    Schema.filter((text) => instantOf(text) !== undefined, {
      [FieldMessage]: "must be a date such as 2026-05-04 or a date-time such as 2026-05-04T08:30:00Z"
    })
  ),
  Schema.Number,
  {
    strict: true,
    decode: (text) => instantOf(text) as Instant,
    encode: timestamp
  }
).annotations({
  jsonSchema: {
    anyOf: [
      { type: "string", format: "date" },
      { type: "string", format: "date-time" }
    ]
  }
})
