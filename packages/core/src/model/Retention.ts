import { day } from "./Instant.js"

/**
 * Retention of history, in ms (docs/reference/administration.md#retention). Pending deliveries and their events are
 * kept longer. Workflow runs and bot sessions age from their end.
 */
export interface Retention {
  readonly events: number
  readonly deliveries: number
  readonly attempts: number
  readonly requestLog: number
  /** Workflow runs and bot sessions. */
  readonly runs: number
}

export const defaultRetention: Retention = {
  events: 90 * day,
  deliveries: 90 * day,
  attempts: 30 * day,
  requestLog: 30 * day,
  runs: 90 * day
}

/** Retention of business events and notifications, in ms. Not configurable. */
export const fixedRetention: number = 90 * day

/**
 * Retention of parked receipts whose message is not recorded, in ms (docs/reference/messages.md#receipts). Longer than
 * the 24 h after which a message with an unknown outcome fails.
 */
export const parkedReceiptRetention: number = 7 * day

/**
 * Pairs of history kinds; the first must be kept at least as long as the second. A delivery cannot be replayed without
 * its event, and an attempt cannot be found without its delivery.
 */
export const minimumRetention: ReadonlyArray<readonly [keyof Retention, keyof Retention]> = [
  ["events", "deliveries"],
  ["deliveries", "attempts"]
]
