import { Schema } from "effect"
import { component, conversationId, field } from "../../kernel/input/wire.js"

/** The answer to a signal (docs/reference/conversations.md#typing-and-read-marks). */
export const SignalResource = component("Signal", "The outcome of a signal to the customer.", {
  conversationId,
  taken: field(Schema.Boolean, {
    description:
      "Whether the channel accepted it. False: its vendor refused or did not answer; the service does not retry.",
    examples: [true]
  })
})
