import { Schema } from "effect"

/** What a vendor says of a connection, on the wire of the administration. */
export const CheckResource = Schema.Struct({
  status: Schema.Literal("working", "failing"),
  /** For a person: what is well, or what to do. */
  detail: Schema.String
}).annotations({ identifier: "ConnectionCheck" })
