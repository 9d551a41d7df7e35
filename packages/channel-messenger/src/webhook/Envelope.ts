import { Schema } from "effect"

/** What Meta calls a webhook with; entries are read one by one, so that one of another shape takes nothing else along. */
export const Envelope = Schema.parseJson(Schema.Struct({ object: Schema.String, entry: Schema.Array(Schema.Unknown) }))

const several = Schema.optional(Schema.Array(Schema.Unknown))

/** News of one Page or Instagram account, whose id it has. */
export const Entry = Schema.Struct({
  id: Schema.NonEmptyString,
  messaging: several,
  /** What is said to the Page while another app answers its customers. */
  standby: several,
  /** What happens to the Page besides: comments, reviews, … */
  changes: several
})
