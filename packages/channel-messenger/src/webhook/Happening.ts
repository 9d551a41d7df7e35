import type { Instant } from "@parley/core"
import { Option, Schema } from "effect"

const Party = Schema.Struct({ id: Schema.NonEmptyString })

const readHappening = Schema.decodeUnknownOption(
  Schema.Struct({
    sender: Party,
    recipient: Schema.optional(Party),
    timestamp: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString))
  })
)

/** What all of an entry's `messaging` have: who did it, to whom, and when. */
export interface Happening {
  /** As Meta has it: the customer, but of an echo the business. */
  readonly sender: string
  /** Null where Meta does not say. */
  readonly at: Instant | null
}

/** Of one of an entry's `messaging`; null where it names nobody. */
export const happeningOf = (value: unknown): Happening | null =>
  readHappening(value).pipe(
    Option.map(({ sender, timestamp }) => ({
      sender: sender.id,
      at: timestamp !== undefined && timestamp > 0 && Number.isFinite(timestamp) ? timestamp : null
    })),
    Option.getOrNull
  )
