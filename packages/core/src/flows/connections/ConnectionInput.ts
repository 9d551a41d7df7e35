import { Schema } from "effect"
import { channelName, oneOf, optional, optionalText, requiredText, uuid } from "../../kernel/input/Fields.js"
import { JsonObject } from "../../kernel/input/JsonObject.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds, samples } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { ConnectionStatus } from "../../model/Connection.js"
import { MessageContent } from "../../model/MessageContent.js"

/** The body of `POST /connections` (docs/reference/administration.md#connections). */
export const ConnectionInput = component("ConnectionInput", "A channel to connect.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  channel: field(channelName, { description: "A channel that a provider of the host serves.", examples: ["whatsapp"] }),
  provider: field(requiredText(40), { description: "Kind of the provider.", examples: ["sandbox"] }),
  name: field(requiredText(255), { examples: ["Shop"] }),
  handle: field(requiredText(255), {
    description: "The business's own handle on the channel.",
    examples: ["+4930123456"]
  }),
  isTest: wire("is_test", Schema.optionalWith(Schema.Boolean, { default: () => false }), { examples: [true] }),
  config: field(optional(JsonObject), { description: "Settings, as the provider defines them." }),
  credentials: field(optional(JsonObject), {
    description: "Secrets, as the provider defines them; they are never shown again."
  })
})
export type ConnectionInput = typeof ConnectionInput.Type

/** The body of `PATCH /connections/{id}`. `config` and `credentials` are replaced as a whole. */
export const ConnectionPatch = component(
  "ConnectionPatch",
  "What to change; `config` and `credentials` are replaced as a whole.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    channel: unchangeable,
    provider: unchangeable,
    handle: unchangeable,
    isTest: wire("is_test", unchangeable),
    name: given(requiredText(255)),
    status: given(oneOf<ConnectionStatus>(["active", "paused", "disconnected"])),
    config: clearable(JsonObject),
    credentials: clearable(JsonObject)
  },
  { example: { status: "paused" } }
)
export type ConnectionPatch = typeof ConnectionPatch.Type

/** The body of `POST /connections/{id}/simulate-inbound`: a message as if the customer `from` had written it. */
export const SimulatedInbound = component("SimulatedInbound", "A message as if a customer had written it.", {
  from: field(requiredText(255), { description: "The customer's handle.", examples: [samples.phone] }),
  body: field(optionalText(100_000), {
    description: "Required without `content`, else its readable text.",
    examples: ["Where is my order?"]
  }),
  content: field(Schema.optionalWith(Schema.NullOr(MessageContent), { default: () => null }), {
    description: "The content, if the message is more than a text.",
    examples: [null]
  }),
  quoted: field(optional(uuid), {
    description: "Id of the message that it answers, reacts to, edits or deletes, or whose option it chooses.",
    examples: [null]
  }),
  name: field(optional(requiredText(100)), {
    description: "The customer's name on the channel.",
    examples: ["Ada"]
  })
})
export type SimulatedInbound = typeof SimulatedInbound.Type

export const decodeConnectionInput = partialDecode(ConnectionInput)
export const decodeConnectionPatch = partialDecode(ConnectionPatch)
export const decodeSimulatedInbound = partialDecode(SimulatedInbound)
