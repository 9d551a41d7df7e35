import { isSuccess, mayHaveTakenEffect, startsDeliveries } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, isCalm, isUndisturbed } from "../History.js"
import { receivesUntil } from "../receivers.js"
import { recordedBy } from "../recordedBy.js"
import { delaysOf, lastNumber } from "../retryDelays.js"
import { isServed } from "../serving.js"
import { attemptTimeout, clockSkew, inFlight, prompt, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * A failed attempt is repeated after the documented delay, never earlier, and in the quiet at most 10 % later; there
 * are seven attempts, eleven at a subscription, and a test is tried once (docs/reference/webhooks.md#retry-schedule,
 * docs/reference/webhooks.md#subscriptions). A delivery that succeeded is not tried again, unless an administrator
 * replays it (docs/reference/webhooks.md#delivery-states).
 *
 * Not checked: the delay where a fault lasted longer than a lease; attempts after a replay, a recovery or an enabling
 * of the endpoint; that a delay is at most 10 % longer before the quiet, because no worker may have been there; and a
 * further attempt after a success with a fault nearby, because its result may not have been recorded
 * (docs/reference/webhooks.md#order-and-duplicates).
 */
export function* webhookSchedule(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    const isOutside = endpoint.changes.some((call) => startsDeliveries(call) && mayHaveTakenEffect(call))
    for (const attempts of byEvent(endpoint).values()) {
      if (isOutside && !endpoint.changes.some(({ operation }) => operation.endsWith("/replay")))
        yield* afterSuccess(history, attempts)
      const scheduled = isOutside ? beforeChanges(endpoint, attempts) : attempts
      if (scheduled.length > 1 || (scheduled[0]?.number ?? 1) > 1) yield* schedule(history, scheduled)
    }
  }
}

/** The attempts of an endpoint, by event and in the order of the journal. */
export const byEvent = (endpoint: EndpointHistory): ReadonlyMap<string, ReadonlyArray<AttemptRecord>> => {
  const events = new Map<string, Array<AttemptRecord>>()
  for (const record of endpoint.attempts) {
    const known = events.get(record.eventId)
    if (known === undefined) events.set(record.eventId, [record])
    else known.push(record)
  }
  return events
}

const beforeChanges = (
  endpoint: EndpointHistory,
  attempts: ReadonlyArray<AttemptRecord>
): ReadonlyArray<AttemptRecord> => {
  const change = endpoint.changes.find((call) => startsDeliveries(call) && mayHaveTakenEffect(call))
  return attempts.filter(({ entry }) => entry < (change?.entry ?? Infinity))
}

/** Attempts after a success that come with no replay: recoveries and enabling leave what was delivered. */
function* afterSuccess(history: History, attempts: ReadonlyArray<AttemptRecord>): Iterable<Violation> {
  const success = attempts.find((record) => isSuccess(record) && record.answer?.arrived === true)
  if (success === undefined) return
  for (const record of attempts) {
    if (record.entry > success.entry && isRecorded(history, success, record)) yield ended(success, record)
  }
}

const ended = (success: AttemptRecord, { attempt, endpoint, entry, eventId, number }: AttemptRecord): Violation => ({
  promise: "webhook-ends-with-success",
  at: attempt.at,
  text: `Attempt ${number} of event ${eventId} at endpoint ${endpoint?.id} comes after attempt ${success.number} was answered ${success.answer?.status}.`,
  entries: [success.answerEntry, entry]
})

function* schedule(history: History, attempts: ReadonlyArray<AttemptRecord>): Iterable<Violation> {
  /** First arrival of each number. */
  const firsts = new Map<number, AttemptRecord>()
  /** Last arrival of each number: an attempt whose result was not recorded is made again. */
  const lasts = new Map<number, AttemptRecord>()
  let success: AttemptRecord | null = null
  let previousAt = 0
  for (const record of attempts) {
    const { attempt, endpoint, entry, eventId, number, type } = record
    const where = `of event ${eventId} at endpoint ${endpoint?.id}`
    const delays = delaysOf(endpoint)
    const most = lastNumber(endpoint, type)
    if (number > most) {
      yield {
        promise: "webhook-schedule",
        at: attempt.at,
        text: `Attempt ${number} ${where} is more than the ${most} of the schedule.`,
        entries: [entry]
      }
    }
    const before = firsts.get(number - 1)
    const delay = delays[number - 2]
    if (
      before !== undefined &&
      delay !== undefined &&
      attempt.at < before.attempt.at + delay - clockSkew &&
      !claimsMayBeForgotten(history, before.attempt.at, attempt.at) &&
      !leasesMayEnd(history, before.attempt.at, attempt.at)
    ) {
      yield {
        promise: "webhook-schedule",
        at: attempt.at,
        text: `Attempt ${number} ${where} comes ${attempt.at - before.attempt.at} ms after the one before, not ${delay} ms.`,
        entries: [before.entry, entry]
      }
    }
    const last = lasts.get(number - 1)
    if (last !== undefined && delay !== undefined && !firsts.has(number) && isLate(history, last, record, delay)) {
      yield {
        promise: "webhook-schedule",
        at: attempt.at,
        text: `Attempt ${number} ${where} comes ${attempt.at - last.attempt.at} ms after the one before, and not within ${delay * 1.1} ms.`,
        entries: [last.entry, entry]
      }
    }
    if (number > 1 && before === undefined && !mayBeUnseen(history, endpoint, previousAt, attempt.at)) {
      yield {
        promise: "webhook-schedule",
        at: attempt.at,
        text: `Attempt ${number} ${where} comes without an attempt ${number - 1}.`,
        entries: [entry]
      }
    }
    if (!firsts.has(number)) firsts.set(number, record)
    lasts.set(number, record)
    previousAt = attempt.at
    if (success !== null && isRecorded(history, success, record)) yield ended(success, record)
    if (success === null && isSuccess(record) && record.answer?.arrived === true) success = record
  }
}

/**
 * Whether an attempt between these times may be missing in the journal: a process that claimed an event of a
 * subscription and did not call its function, because of a fault, made one. It is recorded after the attempt before, if
 * that was still made when the fault ended.
 */
const mayBeUnseen = (history: History, endpoint: EndpointHistory | null, from: number, until: number): boolean =>
  history.world.unseenAttempts !== undefined ||
  (endpoint?.subscription != null && !isUndisturbed(history, from - prompt, until))

/**
 * Whether the first attempt with its number was late after the faults had stopped, at an endpoint that works and was
 * never disabled.
 */
const isLate = (
  history: History,
  before: AttemptRecord,
  { attempt, endpoint }: AttemptRecord,
  delay: number
): boolean => {
  const resultAt = Math.max(before.answer?.at ?? 0, before.attempt.at + attemptTimeout)
  const due = recordedBy(history, before.attempt.at, resultAt) + delay * 1.1
  if (history.quiet === null || before.attempt.at + delay < history.quiet.at + settling) return false
  if (endpoint === null || receivesUntil(history, endpoint) < attempt.at) return false
  if (!isServed(endpoint, before.attempt.at, attempt.at)) return false
  return attempt.at > due + clockSkew
}

/**
 * Whether a success was recorded for certain before another attempt began: at once without a fault nearby; else a lease
 * passed in which its process had no fault, or after its faults ended.
 */
const isRecorded = (history: History, success: AttemptRecord, later: AttemptRecord): boolean => {
  if (success.answerEntry > later.entry) return false
  if (isCalm(history, success.attempt.at, later.attempt.at))
    return later.attempt.at > (success.answer?.at ?? Infinity) + prompt
  const until = recordedAtLast(history, success)
  if (later.attempt.at <= until) return false
  // A fault may lose the record: the process, the answer to its commit, or the memory of a claim.
  return !history.faults.some(
    ({ fault, until: over }) =>
      over >= success.attempt.at && fault.at <= until && fault.begins === undefined && fault.ends === undefined
  )
}

/**
 * When a success is recorded at the latest. While the database is away, its process tries again at least every 5 s, and
 * a process that stalls does so afterwards. If that is near the end of the lease, another process may have claimed the
 * job and make the attempt again. A fault that begins in this time delays both further.
 */
const recordedAtLast = (history: History, { answer, attempt }: AttemptRecord): number => {
  let until = (answer?.at ?? Infinity) + recordingPause
  for (;;) {
    const reached = recordedBy(history, attempt.at, until)
    if (reached <= until) return until
    until = reached + (reached - attempt.at + recordingPause < inFlight ? recordingPause : inFlight)
  }
}

/** Longest time between two tries to record the result of an attempt, and the time that a try takes, in ms. */
const recordingPause = 5_000 + prompt

/**
 * Whether a fault lasted longer than a lease, until shortly before the earlier attempt or longer: the process that made
 * that attempt records it, while another one has claimed its job already and makes the next attempt.
 */
const leasesMayEnd = ({ faults }: History, from: number, until: number): boolean =>
  faults.some(
    (period) => period.until - period.fault.at >= inFlight && period.fault.at <= until && period.until >= from - prompt
  )

/**
 * Whether a power cut made the database forget the claim of the earlier attempt
 * (docs/reference/storage.md#sqlite-durability).
 */
const claimsMayBeForgotten = ({ faults }: History, from: number, until: number): boolean =>
  faults.some(({ fault }) => fault.powerCut === true && fault.at >= from - inFlight && fault.at <= until)
