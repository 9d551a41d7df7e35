import { Schema } from "effect"
import { component, field, ids, wire } from "../../kernel/input/wire.js"
import { type Capabilities, Channel } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"

const nullableNumber = Schema.NullOr(Schema.Number)

/** What a channel can do, on the wire (docs/reference/channels.md#capabilities). */
export const CapabilitiesResource = component("Capabilities", "What the channel can do.", {
  textMaxLength: wire("text_max_length", nullableNumber, {
    description: "Characters that a text may have; null where there is no limit.",
    examples: [4_096]
  }),
  templates: field(Schema.Boolean, { examples: [true] }),
  deliveryReceipts: wire("delivery_receipts", Schema.Boolean, { examples: [true] }),
  readReceipts: wire("read_receipts", Schema.Boolean, { examples: [true] }),
  serviceWindowHours: wire("service_window_hours", nullableNumber, {
    description: "How long after a customer's message free text is allowed; null: at any time.",
    examples: [24]
  })
})

/** A connection as the applications see it that may use it (docs/reference/channels.md#channel-fields). */
export const ChannelResource = component(
  "Channel",
  "A connection that the application may send on and receives events of.",
  {
    id: ids.connection,
    channel: Channel,
    name: field(Schema.String, { examples: ["Shop"] }),
    handle: field(Schema.String, { description: "The business's own handle.", examples: ["+4930123456"] }),
    status: field(Schema.Literal("active", "paused", "disconnected"), {
      description: "Only an active one can be sent on."
    }),
    isTest: wire("is_test", Schema.Boolean),
    capabilities: CapabilitiesResource
  }
)

export const channelResource = (connection: Connection, capabilities: Capabilities): typeof ChannelResource.Type => ({
  ...connection,
  capabilities
})
