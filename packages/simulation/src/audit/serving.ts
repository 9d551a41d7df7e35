import type { EndpointHistory } from "./History.js"

/** Whether a process handles the events of an endpoint in a whole period. Webhooks need none. */
export const isServed = ({ subscription }: EndpointHistory, from: number, until: number): boolean =>
  subscription === null || subscription.served.some((period) => period.from <= from && period.until >= until)

/** The time at which the last process ended to handle the events of an endpoint; Infinity if one still does. */
export const servedUntil = ({ subscription }: EndpointHistory): number =>
  subscription === null ? Infinity : Math.max(...subscription.served.map(({ until }) => until))
