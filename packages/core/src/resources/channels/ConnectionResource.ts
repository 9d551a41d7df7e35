import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import { type Capabilities, Channel } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { Timestamp } from "../../model/Instant.js"
import { CapabilitiesResource, capabilitiesResource } from "./ChannelResource.js"

/**
 * A connection on the wire of the administration: never its credentials (docs/reference/administration.md#connections).
 */
export const ConnectionResource = component("Connection", "An account on a channel; its credentials are never shown.", {
  id: ids.connection,
  workspaceId,
  channel: field(Channel, { examples: ["whatsapp"] }),
  provider: field(Schema.String, { examples: ["sandbox"] }),
  name: field(Schema.String, { examples: ["Shop"] }),
  handle: field(Schema.String, { examples: ["+4930123456"] }),
  status: Schema.Literal("active", "paused", "disconnected"),
  isTest: wire("is_test", Schema.Boolean, { examples: [true] }),
  config: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** URL for the webhooks of its vendor; null if it sends none. */
  webhookUrl: wire("webhook_url", Schema.NullOr(Schema.String), {
    description: "URL at which the vendor calls Parley; null if the vendor does not call."
  }),
  /** End of the throttle hold; null without one. */
  heldUntil: wire("held_until", Schema.NullOr(Timestamp), {
    description: "End of the vendor's throttle; waiting messages keep their order. Null without a throttle."
  }),
  capabilities: CapabilitiesResource,
  createdAt
})

export const connectionResource = (
  { credentials: _credentials, heldUntil, ...connection }: Connection,
  webhookUrl: string | null,
  capabilities: Capabilities
): typeof ConnectionResource.Type => ({
  ...connection,
  webhookUrl,
  heldUntil: heldUntil === 0 ? null : heldUntil,
  capabilities: capabilitiesResource(capabilities)
})
