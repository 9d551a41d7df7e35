import { isSuccess, mayHaveTakenEffect, startsDeliveries } from "../endpointChanges.js"
import {
  disablingFailures,
  endOf,
  isLeftOut,
  maxFailures,
  mayBeErased,
  mayBeOfFormerSettings
} from "../endpointFailures.js"
import { erasuresOf } from "../erasures.js"
import type { AttemptRecord, Call, EndpointHistory, History } from "../History.js"
import { textAt, valueAt } from "../json.js"
import { recordedBy } from "../recordedBy.js"
import { attemptTimeout, inFlight } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * 25 failed attempts in a row disable an endpoint, no fewer; a disabled endpoint gets no further attempts
 * (docs/reference/webhooks.md#disabling-after-25-failures). Attempts that overlap in time may be counted in any order,
 * and those do not count whose events are erased before they are recorded, or that fail after their endpoint got
 * another URL or secret.
 *
 * Not checked: after an administrator enables the endpoint; where attempts may be missing in the journal, that it was
 * not disabled too early; where a process crashed, that it was disabled at all, because failures may not have been
 * counted.
 */
export function* endpointDisabling(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    const started = endpoint.changes.find((call) => startsDeliveries(call) && mayHaveTakenEffect(call))
    yield* tooLate(
      history,
      started === undefined ? endpoint : { ...endpoint, attempts: endpoint.attempts.filter(isBefore(started)) }
    )
  }
  if (history.world.unseenAttempts === undefined) yield* tooEarly(history)
}

const isBefore =
  ({ entry }: Call) =>
  (record: AttemptRecord): boolean =>
    record.entry < entry

function* tooLate(history: History, endpoint: EndpointHistory): Iterable<Violation> {
  if (endpoint.attempts.length <= disablingFailures || history.faults.some(({ fault }) => fault.crashed !== undefined))
    return
  const erasures = erasuresOf(history)
  let failures = 0
  let disabled: AttemptRecord | null = null
  let countedUntil = -Infinity
  for (const record of endpoint.attempts) {
    if (isLeftOut(record)) continue
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
    if (record.attempt.at < countedUntil || mayBeErased(history, erasures, record)) continue
    if (mayBeOfFormerSettings(history, endpoint, record)) continue
    failures += 1
    if (failures < disablingFailures) continue
    disabled ??= record
    if (failures === disablingFailures)
      countedUntil = Math.max(
        ...endpoint.attempts.map((other) =>
          // A process that is stopped records an attempt afterwards.
          other.entry <= record.entry ? recordedBy(history, other.attempt.at, endOf(other)) : 0
        )
      )
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
      const failures = maxFailures(history, endpoint, call.responseEntry)
      if (isOrdered || failures >= disablingFailures) continue
      yield {
        promise: "endpoint-disabled-at-25",
        at: call.response.at,
        text: `Endpoint ${endpoint.id} is disabled after at most ${failures} failures in a row.`,
        entries: [call.responseEntry]
      }
    }
  }
}
