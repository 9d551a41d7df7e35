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

/** The common fields of an entry's `messaging` items: sender, recipient and time. */
export interface Happening {
  /** Meta's sender: the customer, or the business in an echo. */
  readonly sender: string
  /** Null if Meta sent no time. */
  readonly at: Instant | null
}

/** The common fields of one `messaging` item; null if it names no sender. */
export const happeningOf = (value: unknown): Happening | null =>
  readHappening(value).pipe(
    Option.map(({ sender, timestamp }) => ({
      sender: sender.id,
      at: timestamp !== undefined && timestamp > 0 && Number.isFinite(timestamp) ? timestamp : null
    })),
    Option.getOrNull
  )
