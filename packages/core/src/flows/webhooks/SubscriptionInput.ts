import { Schema } from "effect"
import { FieldMessage } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { subscribedEvents } from "./EndpointInput.js"

const name = Schema.String.pipe(
  Schema.filter((value) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(value), {
    [FieldMessage]: "must be 1 to 100 letters, digits, dots, dashes or underscores"
  })
)

/** Name and event types of a subscription (docs/reference/webhooks.md#subscriptions). */
const SubscriptionInput = Schema.Struct({ name, events: subscribedEvents })
export type SubscriptionInput = typeof SubscriptionInput.Type

export const decodeSubscriptionInput = partialDecode(SubscriptionInput)
