import { Schema } from "effect"

/** A moment in milliseconds since the Unix epoch: how the domain and the storage hold every time. */
export type Instant = number

/** An {@link Instant} in wire shape. */
export const timestamp = (instant: Instant): string => new Date(instant).toISOString()

/** An {@link Instant} on the wire: ISO 8601 UTC with milliseconds and `Z` (decisions.md §1). */
export const Timestamp: Schema.Schema<Instant, string> = Schema.transform(Schema.String, Schema.Number, {
  strict: true,
  decode: (text) => Date.parse(text),
  encode: timestamp
}).annotations({
  identifier: "Timestamp",
  jsonSchema: { type: "string", format: "date-time", examples: ["2026-05-04T08:30:00.000Z"] }
})

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
