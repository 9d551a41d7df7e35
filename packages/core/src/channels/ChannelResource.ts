import { Schema } from "effect"
import { type Capabilities, Channel } from "./Channel.js"
import type { Connection } from "./Connection.js"

const nullableNumber = Schema.NullOr(Schema.Number)

/** What a channel can do, on the wire (decisions.md §10). */
export const CapabilitiesResource = Schema.Struct({
  textMaxLength: Schema.propertySignature(nullableNumber).pipe(Schema.fromKey("text_max_length")),
  templates: Schema.Boolean,
  deliveryReceipts: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("delivery_receipts")),
  readReceipts: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("read_receipts")),
  serviceWindowHours: Schema.propertySignature(nullableNumber).pipe(Schema.fromKey("service_window_hours"))
}).annotations({ identifier: "Capabilities" })

/** A connection as the applications see it that may use it (decisions.md §10). */
export const ChannelResource = Schema.Struct({
  id: Schema.String,
  channel: Channel,
  name: Schema.String,
  handle: Schema.String,
  status: Schema.Literal("active", "paused", "disconnected"),
  isTest: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("is_test")),
  capabilities: CapabilitiesResource
}).annotations({ identifier: "Channel" })

export const channelResource = (connection: Connection, capabilities: Capabilities): typeof ChannelResource.Type => ({
  ...connection,
  capabilities
})
