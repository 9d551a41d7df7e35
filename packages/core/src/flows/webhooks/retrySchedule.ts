import { hour, minute, second } from "../../model/Instant.js"

/** Delays in ms between attempts (docs/reference/webhooks.md#retry-schedule). Up to 10 % jitter is added. */
export const retrySchedule: ReadonlyArray<number> = [minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour]

/** Delays in ms between attempts at a subscription, about a day in all (docs/reference/webhooks.md#subscriptions). */
export const subscriptionSchedule: ReadonlyArray<number> = [
  second,
  5 * second,
  30 * second,
  ...retrySchedule.slice(0, 4),
  3 * hour,
  6 * hour,
  13 * hour
]

/**
 * Number of the attempt at an event, since the last replay, from which failures at a subscription count: the event has
 * failed for 80 minutes then. Otherwise a short outage of what the function needs would disable the subscription,
 * because many events fail at once.
 */
export const firstCountedRound = 8
