import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { optional, text, wholeNumber } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { samples } from "../../kernel/input/samples.js"
import { component, field } from "../../kernel/input/wire.js"

/** The most events that one call looks at, where it names a limit. */
const maxEvents = 10_000

/**
 * The body of `POST /webhook-endpoints/{id}/recover` (docs/reference/webhooks.md#recover). Without `limit` it looks at
 * all that is kept.
 */
export const RecoverInput = component("RecoverInput", "From when on to deliver what was not delivered.", {
  since: field(dateOrTime, {
    description: "Events of this moment and later ones.",
    examples: [Date.parse(samples.created)]
  }),
  cursor: field(optional(text(1_000)), { description: "Where the last call stopped, with the same `since`." }),
  limit: field(optional(wholeNumber(1, maxEvents)), {
    description: "How many events to look at in this call; all that are kept where it is left out."
  })
})
export type RecoverInput = typeof RecoverInput.Type

export const decodeRecoverInput = partialDecode(RecoverInput)
