import type { EndpointHistory, SubscriptionHistory } from "./History.js"

/** The processes that handle the events of a subscription in a whole period. */
export const servingProcesses = ({ served }: SubscriptionHistory, from: number, until: number): ReadonlyArray<string> =>
  served.filter((period) => period.from <= from && period.until >= until).map(({ process }) => process)

/** Whether a process handles the events of an endpoint in a whole period. Webhooks need none. */
export const isServed = ({ subscription }: EndpointHistory, from: number, until: number): boolean =>
  subscription === null || servingProcesses(subscription, from, until).length > 0

/** The time at which the last process ended to handle the events of an endpoint; Infinity if one still does. */
export const servedUntil = ({ subscription }: EndpointHistory): number =>
  subscription === null ? Infinity : Math.max(...subscription.served.map(({ until }) => until))
