import { withMessage } from "@parley/core"
import { Schema } from "effect"

/** The widget's id of a message (docs/reference/webchat.md#client-message-ids). */
export const clientId = Schema.String.pipe(
  Schema.pattern(/^[\w-]{1,64}$/),
  withMessage("must be 1 to 64 letters, digits, _ and -")
)
