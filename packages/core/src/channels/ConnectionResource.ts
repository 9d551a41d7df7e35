import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
import { Channel } from "./Channel.js"
import type { Connection } from "./Connection.js"

/** A connection on the wire of the administration: never its credentials (decisions.md §14). */
export const ConnectionResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  channel: Channel,
  provider: Schema.String,
  name: Schema.String,
  handle: Schema.String,
  status: Schema.Literal("active", "paused", "disconnected"),
  isTest: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("is_test")),
  config: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** Where its vendor calls us; null where none does. */
  webhookUrl: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("webhook_url")),
  /** Until when its provider lets nothing out; null where it holds nothing back. */
  heldUntil: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("held_until")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Connection" })

export const connectionResource = (
  { credentials: _credentials, heldUntil, ...connection }: Connection,
  webhookUrl: string | null
): typeof ConnectionResource.Type => ({ ...connection, webhookUrl, heldUntil: heldUntil === 0 ? null : heldUntil })
