import { Schema } from "effect"

const several = Schema.optional(Schema.Array(Schema.Unknown))

/** The events of one Page or Instagram account, identified by `id`. */
export const Entry = Schema.Struct({
  id: Schema.NonEmptyString,
  messaging: several,
  /** Messages to the Page while another app has control of the conversation. */
  standby: several,
  /** Other events of the Page: comments, reviews, … */
  changes: several
})
