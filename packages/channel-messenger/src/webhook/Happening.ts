import type { Instant } from "@parley/core"
import { fieldsOf, idOf, numberOf } from "@parley/provider-kit"

/** The common fields of an entry's `messaging` items: sender, recipient and time. */
export interface Happening {
  /** Meta's sender: the customer, or the business in an echo. */
  readonly sender: string
  /** Null if Meta sent no time that can be read. */
  readonly at: Instant | null
}

/** The common fields of one `messaging` item; null if it names no sender. */
export const happeningOf = (value: unknown): Happening | null => {
  const id = idOf(fieldsOf(fieldsOf(value).sender).id)
  return id === null ? null : { sender: id, at: timeOf(value) }
}

/** The time of one `messaging` item; null if it cannot be read. */
export const timeOf = (value: unknown): Instant | null => {
  const { timestamp } = fieldsOf(value)
  const at = numberOf(timestamp) ?? (typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN)
  return at > 0 && Number.isFinite(at) ? at : null
}
