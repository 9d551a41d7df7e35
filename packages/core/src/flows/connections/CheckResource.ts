import { Schema } from "effect"
import { component, field } from "../../kernel/input/wire.js"

/** Result of a connection test, on the wire of the admin API. */
export const CheckResource = component("ConnectionCheck", "Result of a connection test.", {
  status: Schema.Literal("working", "failing"),
  /** For a person: what is well, or what to do. */
  detail: field(Schema.String, {
    description: "What works, or what to do.",
    examples: ["The sandbox works always. It sends no messages to customers."]
  })
})
