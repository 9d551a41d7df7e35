import { Schema } from "effect"
import { Timestamp } from "../../Instant.js"

/** What a recover did, on the wire (decisions.md §14). */
export const RecoveredResource = Schema.Struct({
  deliveries: Schema.Number,
  reached: Timestamp,
  cursor: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Recovered" })
