import { day } from "../Instant.js"

/**
 * How long history is kept, in ms (decisions.md §12). A delivery that waits is kept beyond it, and so is its event; a run of a
 * workflow and a dialogue of a bot count from their end.
 */
export interface Retention {
  readonly events: number
  readonly deliveries: number
  readonly attempts: number
  readonly requestLog: number
  /** Runs of workflows and dialogues of bots. */
  readonly runs: number
}

export const defaultRetention: Retention = {
  events: 90 * day,
  deliveries: 90 * day,
  attempts: 30 * day,
  requestLog: 30 * day,
  runs: 90 * day
}

/** How long business events and notifications are kept, in ms: there is no setting for them. */
export const keptAnyway: number = 90 * day

/**
 * How long a receipt waits for the message that it is about, in ms: far beyond the day after which a message that a provider
 * never spoke of has failed (decisions.md §7).
 */
export const receiptsParked: number = 7 * day

/**
 * What may not go before what it belongs to: a delivery without its event cannot be sent again, and nobody finds an attempt
 * without its delivery. The first of each pair is kept at least as long as the second.
 */
export const keptAsLong: ReadonlyArray<readonly [keyof Retention, keyof Retention]> = [
  ["events", "deliveries"],
  ["deliveries", "attempts"]
]
