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
      description: "The vendor's name for it, as far as known.",
      examples: ["reaction"]
    }),
    raw: field(Schema.String, {
      description:
        "As it came, at most 64 KiB of it; of what could be read and not carried out, JSON that has a `problem` too.",
      examples: ['{"type":"reaction","reaction":{"emoji":"👍"}}']
    }),
    createdAt
  }
)
