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
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Connection" })

export const connectionResource = ({
  credentials: _credentials,
  ...connection
}: Connection): typeof ConnectionResource.Type => connection
