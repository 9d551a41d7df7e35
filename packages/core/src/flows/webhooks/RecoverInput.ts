import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { optional, text, wholeNumber } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { samples } from "../../kernel/input/samples.js"
import { component, field } from "../../kernel/input/wire.js"

/** Maximum of `limit`. */
const maxEvents = 10_000

/**
 * The body of `POST /webhook-endpoints/{id}/recover` (docs/reference/webhooks.md#recover). Without `limit` it examines
 * all events that are kept.
 */
export const RecoverInput = component("RecoverInput", "Period whose undelivered events are delivered.", {
  since: field(dateOrTime, {
    description: "Start of the period: a date or time.",
    examples: [Date.parse(samples.created)]
  }),
  cursor: field(optional(text(1_000)), { description: "Cursor of the previous call with the same `since`." }),
  limit: field(optional(wholeNumber(1, maxEvents)), {
    description: "Maximum number of events to examine in this call. Default: all that are kept."
  })
})
export type RecoverInput = typeof RecoverInput.Type

export const decodeRecoverInput = partialDecode(RecoverInput)
