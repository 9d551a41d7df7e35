import { isSuccess, mayHaveTakenEffect, startsDeliveries } from "../endpointChanges.js"
import type { AttemptRecord, EndpointHistory, History } from "../History.js"
import { textAt, valueAt } from "../json.js"
import { attemptTimeout, inFlight } from "../tolerances.js"
import type { Violation } from "../Violation.js"

const limit = 25

/**
 * 25 failed attempts in a row disable an endpoint, no fewer; a disabled endpoint gets no further attempts
 * (docs/reference/webhooks.md#disabling-after-25-failures). Attempts that overlap in time may be counted in any order.
 *
 * Not checked: after an administrator enables the endpoint; where attempts may be missing in the journal, that it was not
 * disabled too early; where a process crashed, that it was disabled at all, because failures may not have been counted.
 */
export function* endpointDisabling(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.changes.some((call) => startsDeliveries(call) && mayHaveTakenEffect(call))) continue
    yield* tooLate(history, endpoint)
  }
  if (history.world.unseenAttempts === undefined) yield* tooEarly(history)
}

const isTest = ({ type }: AttemptRecord): boolean => type === "webhook.test"

/** Number of failures in a row, at most, that could have been counted up to an entry: successes after them are left out. */
const mostFailures = (endpoint: EndpointHistory, until: number): number => {
  let most = 0
  let failures = 0
  /** Failures that may be counted after a success that overlaps them. */
  for (const record of endpoint.attempts) {
    if (record.entry > until) break
    if (isTest(record)) continue
    if (isSuccess(record)) {
      // What arrived before the success and ended after its beginning may be counted after it.
      failures = overlapping(endpoint, record)
      continue
    }
    failures += 1
    most = Math.max(most, failures)
  }
  return most
}

const endOf = ({ answer, attempt }: AttemptRecord): number => answer?.at ?? attempt.at + attemptTimeout

/** Failures that arrived before a success, and whose result may have been recorded after it. */
const overlapping = (endpoint: EndpointHistory, success: AttemptRecord): number =>
  endpoint.attempts.filter(
    (other) =>
      !isTest(other) &&
      !isSuccess(other) &&
      other.entry < success.entry &&
      endOf(other) + inFlight >= success.attempt.at
  ).length

/** The time from which an endpoint may have been disabled by failures; Infinity where it cannot. */
export const mayBeDisabledFrom = (history: History, endpoint: EndpointHistory): number => {
  if (history.world.unseenAttempts !== undefined) {
    const failed = endpoint.attempts.find((record) => !isSuccess(record))
    return failed?.attempt.at ?? Infinity
  }
  if (endpoint.attempts.filter((record) => !isSuccess(record)).length < limit) return Infinity
  for (const { attempt, entry } of endpoint.attempts) {
    if (mostFailures(endpoint, entry) >= limit) return attempt.at
  }
  return Infinity
}

function* tooLate(history: History, endpoint: EndpointHistory): Iterable<Violation> {
  if (endpoint.attempts.length <= limit || history.faults.some(({ fault }) => fault.crashed !== undefined)) return
  let failures = 0
  let disabled: AttemptRecord | null = null
  let countedUntil = -Infinity
  for (const record of endpoint.attempts) {
    if (isTest(record)) continue
    if (disabled !== null && record.attempt.at > countedUntil + attemptTimeout + inFlight) {
      yield {
        promise: "endpoint-disabled-at-25",
        at: record.attempt.at,
        text: `Endpoint ${endpoint.id} gets an attempt after ${failures} failures in a row.`,
        entries: [disabled.entry, record.entry]
      }
      return
    }
    if (isSuccess(record)) {
      // It may be counted after failures that follow closely.
      failures = 0
      countedUntil = endOf(record) + inFlight
      disabled = null
      continue
    }
    if (record.attempt.at < countedUntil) continue
    failures += 1
    if (failures < limit) continue
    disabled ??= record
    if (failures === limit)
      countedUntil = Math.max(...endpoint.attempts.map((other) => (other.entry <= record.entry ? endOf(other) : 0)))
  }
}

/** Readings of an endpoint that show it disabled, where too few attempts failed. */
function* tooEarly(history: History): Iterable<Violation> {
  for (const call of history.calls) {
    if (call.path[0] !== "webhook-endpoints" && call.path[2] !== "webhook-endpoints") continue
    if (call.request.method !== "GET" || call.response?.status !== 200) continue
    const data = valueAt(call.response.body, "data")
    for (const seen of Array.isArray(data) ? data : [data]) {
      const endpoint = history.endpoints.get(textAt(seen, "id") ?? "")
      if (endpoint === undefined || textAt(seen, "status") !== "disabled") continue
      const isOrdered = endpoint.changes.some(
        (change) => textAt(change.request.body, "status") === "disabled" && change.entry < call.responseEntry
      )
      const failures = mostFailures(endpoint, call.responseEntry)
      if (isOrdered || failures >= limit) continue
      yield {
        promise: "endpoint-disabled-at-25",
        at: call.response.at,
        text: `Endpoint ${endpoint.id} is disabled after at most ${failures} failures in a row.`,
        entries: [call.responseEntry]
      }
    }
  }
}
