import { applicationChangedFrom, changedFrom, mayHaveTakenEffect } from "./endpointChanges.js"
import { mayBeDisabledFrom } from "./endpointFailures.js"
import type { EndpointHistory, History } from "./History.js"
import { valueAt } from "./json.js"

/**
 * The time until which an endpoint receives for certain all events that it is subscribed to; -Infinity where its
 * deliveries may wait because it, its application or a scope was taken away at some time.
 */
export const receivesUntil = (history: History, endpoint: EndpointHistory): number => {
  const application = history.applicationsById.get(endpoint.applicationId)
  const mayWait =
    mayBeDisabledFrom(history, endpoint) < Infinity ||
    [...endpoint.changes, ...(application?.changes ?? [])].some(
      (call) =>
        mayHaveTakenEffect(call) &&
        (call.request.method === "DELETE" ||
          valueAt(call.request.body, "status") !== undefined ||
          valueAt(call.request.body, "scopes") !== undefined)
    )
  return mayWait ? -Infinity : Math.min(changedFrom(endpoint), applicationChangedFrom(history, endpoint.applicationId))
}
