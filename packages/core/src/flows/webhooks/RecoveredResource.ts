import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

/** What a recover did, on the wire (docs/reference/webhooks.md#recover). */
export const RecoveredResource = component("Recovered", "What a recover did.", {
  deliveries: field(Schema.Number, { description: "How many deliveries go out.", examples: [12] }),
  reached: field(Timestamp, {
    description: "How far back it looked: no further than deliveries are kept, however long ago was asked for."
  }),
  cursor: field(Schema.NullOr(Schema.String), {
    description: "Where to go on, in the next call; null where it looked at all."
  })
})
