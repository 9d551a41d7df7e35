import { Schema } from "effect"
import { type Instant, timestamp } from "../Instant.js"
import { Words } from "./Fields.js"

const date = /^\d{4}-\d{2}-\d{2}$/
const time = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/
// The blank is the plus of a query that was not escaped.
const offset = /^(?:z|([-+ ])((?:[01]\d|2[0-3]):[0-5]\d))$/i

/** The moment that a text names, in whole milliseconds; undefined where it names none. */
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

/** A day that its month does not have would be read as one of the next month. */
const isDay = (text: string): boolean => {
  const midnight = date.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}

/** A date, which means 00:00 UTC, or a date-time, in UTC where it names no offset (ISO 8601). */
export const dateOrTime: Schema.Schema<Instant, string> = Schema.transform(
  Schema.String.pipe(
    Schema.filter((text) => instantOf(text) !== undefined, {
      [Words]: "must be a date such as 2026-05-04 or a date-time such as 2026-05-04T08:30:00Z"
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
