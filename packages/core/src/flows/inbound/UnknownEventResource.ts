import { Schema } from "effect"
import { component, connectionId, createdAt, field, ids } from "../../kernel/input/wire.js"

/** An unknown event of a vendor, in the admin API. */
export const UnknownEventResource = component(
  "UnknownEvent",
  "A vendor event of an unknown kind, kept as long as the request log.",
  {
    id: ids.unknownEvent,
    connectionId,
    kind: field(Schema.String, {
      description: "The vendor's name of the event, if known.",
      examples: ["reaction"]
    }),
    raw: field(Schema.String, {
      description:
        "The event as received, truncated at 64 KiB; if it was read but could not be applied, JSON with a `problem` too.",
      examples: ['{"type":"reaction","reaction":{"emoji":"👍"}}']
    }),
    createdAt
  }
)
