import { Schema } from "effect"

/** A time in ms since the Unix epoch, the representation in the domain and the storage. */
export type Instant = number

/** Formats an {@link Instant} for the wire. */
export const timestamp = (instant: Instant): string => new Date(instant).toISOString()

/**
 * Schema of an {@link Instant} on the wire: ISO 8601 in UTC with milliseconds and `Z`
 * (docs/reference/requests.md#times).
 */
export const Timestamp: Schema.Schema<Instant, string> = Schema.transform(Schema.String, Schema.Number, {
  strict: true,
  decode: (text) => Date.parse(text),
  encode: timestamp
}).annotations({
  identifier: "Timestamp",
  jsonSchema: {
    type: "string",
    format: "date-time",
    description: "A time in UTC, to the millisecond.",
    examples: ["2026-05-04T08:30:00.000Z"]
  }
})

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
