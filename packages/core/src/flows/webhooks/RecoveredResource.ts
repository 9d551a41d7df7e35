import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

/** What a recover did, on the wire (docs/reference/webhooks.md#recover). */
export const RecoveredResource = component("Recovered", "Result of a recovery.", {
  deliveries: field(Schema.Number, { description: "Number of deliveries created or restarted.", examples: [12] }),
  reached: field(Timestamp, {
    description: "Start of the examined period: `since`, or the start of retention if later."
  }),
  cursor: field(Schema.NullOr(Schema.String), {
    description: "Cursor for the next call; null if all events were examined."
  })
})
