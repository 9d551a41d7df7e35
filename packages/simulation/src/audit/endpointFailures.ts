import { mayHaveTakenEffect, isSuccess as wasAnswered2xx } from "./endpointChanges.js"
import { erasureOfEvent, erasuresOf } from "./erasures.js"
import type { AttemptRecord, Call, EndpointHistory, History } from "./History.js"
import { textAt, valueAt } from "./json.js"
import { recordedBy } from "./recordedBy.js"
import { countsTowardsDisabling } from "./retryDelays.js"
import { attemptTimeout, inFlight } from "./tolerances.js"

/** Failures in a row that disable an endpoint (docs/reference/webhooks.md#disabling-after-25-failures). */
export const disablingFailures = 25

/** Whether the engine saw a success: an answer that is lost is a failure. */
const isSuccess = (record: AttemptRecord): boolean => wasAnswered2xx(record) && record.answer?.arrived === true

/** Whether an attempt says nothing about its endpoint: a test, or an early failure at a subscription. */
export const isLeftOut = (record: AttemptRecord): boolean =>
  !countsTowardsDisabling(record) && (isTest(record) || !isSuccess(record))

/**
 * Whether the result of an attempt may not count, because an erasure of its event had begun before it was recorded
 * (docs/reference/webhooks.md#disabling-after-25-failures, docs/reference/contacts.md#erasure).
 */
export const mayBeErased = (history: History, erasures: ReadonlyMap<string, Call>, record: AttemptRecord): boolean => {
  if (erasures.size === 0) return false
  const erasure = erasureOfEvent(history, erasures, record)
  // A process that was stopped waits for the rest of the time limit afterwards, and then records the attempt.
  return erasure !== null && recordedBy(history, record.attempt.at, endOf(record)) + inFlight >= erasure.request.at
}

/**
 * Whether a failure may not count, because the URL or the secret of its endpoint may have been changed during the
 * attempt (docs/reference/webhooks.md#disabling-after-25-failures).
 */
export const mayBeOfFormerSettings = (history: History, { changes }: EndpointHistory, record: AttemptRecord): boolean =>
  changes.some(
    (call) =>
      changesTarget(call) &&
      mayHaveTakenEffect(call) &&
      call.request.at <= recordedBy(history, record.attempt.at, endOf(record)) + inFlight &&
      (call.response?.at ?? Infinity) + inFlight >= record.attempt.at
  )

const changesTarget = ({ operation, request: { body, method } }: Call): boolean =>
  operation.endsWith("/rotate-secret") ||
  (method === "PATCH" && (valueAt(body, "url") !== undefined || valueAt(body, "secret") !== undefined))

const isTest = ({ type }: AttemptRecord): boolean => type === "webhook.test"

/**
 * Number of failures in a row, at most, that could have been counted up to an entry; for a later entry it is not
 * smaller. Later successes are left out, and so are those whose processes had a fault before they recorded them, and
 * those whose events may have been erased before.
 */
export const maxFailures = (history: History, endpoint: EndpointHistory, until: number): number => {
  let max = 0
  let failures = 0
  const erasures = erasuresOf(history)
  for (const record of endpoint.attempts) {
    if (record.entry > until) break
    if (isLeftOut(record)) continue
    if (isSuccess(record)) {
      if (mayBeLate(history, record) || mayBeErased(history, erasures, record)) continue
      max = Math.max(max, failures + followingClosely(endpoint, record, until))
      // What arrived before the success and ended after its beginning may be counted after it.
      failures = overlapping(endpoint, record)
      continue
    }
    failures += 1
    max = Math.max(max, failures)
  }
  return max
}

/** Whether the result of an attempt may be recorded after that of later attempts. */
const mayBeLate = (history: History, record: AttemptRecord): boolean =>
  recordedBy(history, record.attempt.at, endOf(record)) > endOf(record)

export const endOf = ({ answer, attempt }: AttemptRecord): number => answer?.at ?? attempt.at + attemptTimeout

/** Failures that arrived before a success, and whose result may have been recorded after it. */
const overlapping = (endpoint: EndpointHistory, success: AttemptRecord): number =>
  endpoint.attempts.filter(
    (other) =>
      !isLeftOut(other) &&
      !isSuccess(other) &&
      other.entry < success.entry &&
      endOf(other) + inFlight >= success.attempt.at
  ).length

/** Failures up to an entry that arrived after a success, and whose result may have been recorded before it. */
const followingClosely = (endpoint: EndpointHistory, success: AttemptRecord, until: number): number =>
  endpoint.attempts.filter(
    (other) =>
      !isLeftOut(other) &&
      !isSuccess(other) &&
      other.entry > success.entry &&
      other.entry <= until &&
      other.attempt.at <= endOf(success) + inFlight
  ).length

/**
 * The time from which an endpoint may have been disabled by failures; Infinity where it cannot. Only an administrator
 * enables it again: one that is active at the end, and whose status no administrator set, was never disabled.
 */
export const mayBeDisabledFrom = (history: History, endpoint: EndpointHistory): number => {
  const isSet = endpoint.changes.some(({ request }) => textAt(request.body, "status") !== null)
  if (endpoint.isActiveAtEnd && !isSet) return Infinity
  if (history.world.unseenAttempts !== undefined) {
    const failed = endpoint.attempts.find((record) => !isSuccess(record))
    return failed?.attempt.at ?? Infinity
  }
  if (endpoint.attempts.filter((record) => !isSuccess(record)).length < disablingFailures) return Infinity
  const disabling = firstIndex(
    endpoint.attempts.length,
    (index) => maxFailures(history, endpoint, endpoint.attempts[index]?.entry ?? Infinity) >= disablingFailures
  )
  return endpoint.attempts[disabling]?.attempt.at ?? Infinity
}

/** The first index below `count` that holds, by a binary search: those after it hold too. `count`: none does. */
const firstIndex = (count: number, holds: (index: number) => boolean): number => {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
