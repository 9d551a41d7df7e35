import { Schema } from "effect"
import { Channel } from "../../channels/Channel.js"
import type { ConnectionStatus } from "../../channels/Connection.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optional, requiredText, uuid } from "../../input/Fields.js"
import { JsonObject } from "../../input/JsonObject.js"
import { clearable, given, unchangeable } from "../../input/Patch.js"

/** The body of `POST /connections` (decisions.md §14). */
export const ConnectionInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  channel: oneOf(Channel.literals),
  provider: requiredText(40),
  name: requiredText(255),
  handle: requiredText(255),
  isTest: Schema.optionalWith(Schema.Boolean, { default: () => false }).pipe(Schema.fromKey("is_test")),
  config: optional(JsonObject),
  credentials: optional(JsonObject)
}).annotations({ identifier: "ConnectionInput" })
export type ConnectionInput = typeof ConnectionInput.Type

/** The body of `PATCH /connections/{id}`. `config` and `credentials` are replaced as a whole. */
export const ConnectionPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  channel: unchangeable,
  provider: unchangeable,
  handle: unchangeable,
  isTest: unchangeable.pipe(Schema.fromKey("is_test")),
  name: given(requiredText(255)),
  status: given(oneOf<ConnectionStatus>(["active", "paused", "disconnected"])),
  config: clearable(JsonObject),
  credentials: clearable(JsonObject)
}).annotations({ identifier: "ConnectionPatch" })
export type ConnectionPatch = typeof ConnectionPatch.Type

/** The body of `POST /connections/{id}/simulate-inbound`: a message as if the customer `from` had written it. */
export const SimulatedInbound = Schema.Struct({
  from: requiredText(255),
  body: requiredText(100_000),
  name: optional(requiredText(100))
}).annotations({ identifier: "SimulatedInbound" })
export type SimulatedInbound = typeof SimulatedInbound.Type

export const connectionDraft = draft(ConnectionInput)
export const connectionPatchDraft = draft(ConnectionPatch)
export const simulatedInboundDraft = draft(SimulatedInbound)
