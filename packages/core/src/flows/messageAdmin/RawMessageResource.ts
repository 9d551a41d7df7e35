import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"

/** What a vendor sent of a message, in the admin API (docs/reference/content.md#vendors-json). */
export const RawMessageResource = component("RawMessage", "The vendor's JSON of a message.", {
  raw: field(Schema.NullOr(Schema.String), {
    description: "JSON of the vendor, truncated at 64 KiB. Null if the vendor sent none, or it has expired.",
    examples: ['{"from":"16505551234","id":"wamid.1042","type":"text","text":{"body":"Hi"}}']
  })
})
export type RawMessage = typeof RawMessageResource.Type
