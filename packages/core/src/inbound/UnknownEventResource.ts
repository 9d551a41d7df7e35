import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

/** Something that a vendor sent and nobody understood, on the wire of the administration. */
export const UnknownEventResource = Schema.Struct({
  id: Schema.String,
  connectionId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("connection_id")),
  kind: Schema.String,
  raw: Schema.String,
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "UnknownEvent" })
