import type { AttemptRecord, EndpointHistory } from "./History.js"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Delays before the second and later attempts of webhooks, in ms (docs/reference/webhooks.md#retry-schedule). */
const webhookDelays = [1 * minute, 5 * minute, 15 * minute, 1 * hour, 6 * hour, 24 * hour]

/** Those at subscriptions (docs/reference/webhooks.md#subscriptions). */
const subscriptionDelays = [
  1 * second,
  5 * second,
  30 * second,
  1 * minute,
  5 * minute,
  15 * minute,
  1 * hour,
  3 * hour,
  6 * hour,
  13 * hour
]

/** Delays before the second and later attempts at an endpoint, in ms. */
export const delaysOf = (endpoint: Pick<EndpointHistory, "subscription"> | null): ReadonlyArray<number> =>
  endpoint == null || endpoint.subscription === null ? webhookDelays : subscriptionDelays

/** The number of the last attempt at an event of this type. */
export const lastNumber = (endpoint: Pick<EndpointHistory, "subscription"> | null, type: string): number =>
  type === "webhook.test" ? 1 : delaysOf(endpoint).length + 1

/** The attempt at an event from which failures at a subscription count: 80 minutes after the first one. */
const firstCounted = 8

/** Whether a failure counts towards the 25 that disable its endpoint (docs/reference/webhooks.md#subscriptions). */
export const countsTowardsDisabling = ({ endpoint, number, type }: AttemptRecord): boolean =>
  type !== "webhook.test" && (endpoint === null || endpoint.subscription === null || number >= firstCounted)
