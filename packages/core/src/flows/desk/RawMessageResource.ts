import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"

/** What a vendor sent of a message, in the admin API (docs/reference/content.md#vendors-json). */
export const RawMessageResource = component("RawMessage", "What the vendor sent of a message.", {
  raw: field(Schema.NullOr(Schema.String), {
    description:
      "JSON of the vendor, at most 64 KiB of it: longer JSON is cut. Null if the vendor sent none, or it has expired.",
    examples: ['{"from":"16505551234","id":"wamid.1042","type":"text","text":{"body":"Hi"}}']
  })
})
export type RawMessage = typeof RawMessageResource.Type
