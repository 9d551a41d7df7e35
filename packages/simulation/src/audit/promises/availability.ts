import { type History, isCalm } from "../History.js"
import type { Violation } from "../Violation.js"

/**
 * A request is refused with 503 only while the database is away or busy, and so is a call of a vendor
 * (docs/reference/requests.md#storage-unavailable, docs/reference/commits.md#retries-of-a-decision).
 *
 * Not checked: requests within a minute after a fault.
 */
export function* availability(history: History): Iterable<Violation> {
  for (const { request, response, responseEntry } of history.calls) {
    if (response?.status !== 503 || !isCalm(history, request.at, response.at)) continue
    yield unavailable(`${request.method} ${request.path} of ${request.caller}`, response.at, responseEntry)
  }
  for (const { calls } of history.reports.values()) {
    for (const { answer, answerEntry, event } of calls) {
      if (answer?.status !== 503 || !isCalm(history, event.at, answer.at)) continue
      yield unavailable(`The report ${event.event} of a vendor`, answer.at, answerEntry)
    }
  }
}

const unavailable = (what: string, at: number, entry: number): Violation => ({
  promise: "service-is-available",
  at,
  text: `${what} is answered 503 without a fault.`,
  entries: [entry]
})
