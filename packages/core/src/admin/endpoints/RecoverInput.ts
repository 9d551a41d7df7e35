import { Schema } from "effect"
import { dateOrTime } from "../../input/DateOrTime.js"
import { draft } from "../../input/Draft.js"
import { optional, text, wholeNumber } from "../../input/Fields.js"

/** The most events that one call looks at, where it names a limit. */
const mostEvents = 10_000

/** The body of `POST /webhook-endpoints/{id}/recover` (decisions.md §12). Without `limit` it looks at all that is kept. */
export const RecoverInput = Schema.Struct({
  since: dateOrTime,
  cursor: optional(text(1_000)),
  limit: optional(wholeNumber(1, mostEvents))
}).annotations({ identifier: "RecoverInput" })
export type RecoverInput = typeof RecoverInput.Type

export const recoverDraft = draft(RecoverInput)
