import { applicationChangedFrom } from "../endpointChanges.js"
import { type AttemptRecord, type Call, type EndpointHistory, type History, isUndisturbed } from "../History.js"
import { listAt, textAt, timeAt, valueAt } from "../json.js"
import { servedUntil } from "../serving.js"
import { attemptTimeout, prompt, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { byEvent } from "./webhookSchedule.js"

/** From when on an event of a subscription that no process handles is stated (docs/reference/administration.md). */
const statedAfter = 60_000

/**
 * Only a process that has the function of a subscription gets its events; without one they wait, and the service status
 * names the subscription (docs/reference/webhooks.md#subscriptions, docs/reference/queue.md#lanes). An attempt of which
 * nothing was recorded counts: the next one at the event has a higher number.
 *
 * The promises of webhooks hold for subscriptions too: see `webhookDelivery.ts` and the files beside it.
 *
 * Not checked: numbers of attempts after a power cut, and where an administrator changed the endpoint or its
 * application; attempts whose process did not crash, but could not record their end: their jobs may be recorded as
 * failed.
 */
export function* subscriptions(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.subscription === null) continue
    yield* foreignHandlings(endpoint)
    yield* repeatedNumbers(history, endpoint)
  }
  yield* waiting(history)
}

function* foreignHandlings(endpoint: EndpointHistory): Iterable<Violation> {
  for (const { attempt, entry, eventId } of endpoint.attempts) {
    const isServing = endpoint.subscription?.served.some(
      ({ from, process, until }) => process === attempt.process && from <= attempt.at && until >= attempt.at
    )
    if (isServing === true) continue
    yield {
      promise: "subscription-handled-by-its-process",
      at: attempt.at,
      text: `${attempt.process} gets event ${eventId} of subscription ${endpoint.id}, which it does not handle.`,
      entries: [entry]
    }
  }
}

function* repeatedNumbers(history: History, endpoint: EndpointHistory): Iterable<Violation> {
  if (endpoint.changes.length > 0 || applicationChangedFrom(history, endpoint.applicationId) < Infinity) return
  if (history.faults.some(({ fault }) => fault.powerCut === true)) return
  for (const attempts of byEvent(endpoint).values()) {
    const firsts = new Map<number, AttemptRecord>()
    for (const later of attempts) {
      const first = firsts.get(later.number)
      if (first === undefined) firsts.set(later.number, later)
      else if (isLost(history, first)) {
        yield {
          promise: "subscription-attempt-counts",
          at: later.attempt.at,
          text: `${later.attempt.process} makes attempt ${later.number} at event ${later.eventId} of subscription ${endpoint.id}, which ${first.attempt.process} made before.`,
          entries: [first.entry, later.entry]
        }
      }
    }
  }
}

/** Whether its process crashed during an attempt, and was to handle further events until then. */
const isLost = ({ faults }: History, { answer, attempt, entry }: AttemptRecord): boolean => {
  const crash = faults.find((period) => period.fault.crashed === attempt.process)
  const stop = faults.find((period) => period.fault.stops === attempt.process)
  if (crash === undefined || stop !== undefined) return false
  return answer === null && crash.entry > entry && crash.fault.at < attempt.at + attemptTimeout
}

/** The jobs of subscriptions that no process handles, and the service status after them. */
function* waiting(history: History): Iterable<Violation> {
  const { calls, endpoints, quiet } = history
  if (quiet === null) return
  const status = calls.findLast(({ operation, response }) => operation === "GET /status" && response?.status === 200)
  for (const call of calls) {
    if (call.operation !== "GET /jobs" || call.response?.status !== 200 || call.entry < quiet.entry) continue
    for (const job of listAt(call.response.body, "data")) {
      const endpoint = endpoints.get(textAt(job, "subject_id") ?? "")
      if (endpoint === undefined || servedUntil(endpoint) > call.request.at) continue
      yield* claimed(history, endpoint, job, call)
      if (status !== undefined && textAt(job, "state") === "due") yield* unstated(endpoint, job, status)
    }
  }
}

/**
 * A job of an event after the last process ended to handle the subscription: no process may claim it. A claim that a
 * fault delays may come later.
 */
function* claimed(
  history: History,
  endpoint: EndpointHistory,
  job: unknown,
  { response, responseEntry }: Call
): Iterable<Violation> {
  const claims = Number(valueAt(job, "attempts"))
  const endedAt = servedUntil(endpoint)
  const createdAt = timeAt(job, "created_at") ?? 0
  const tolerance = isUndisturbed(history, endedAt - settling, createdAt) ? prompt : settling
  if (claims === 0 || createdAt < endedAt + tolerance) return
  yield {
    promise: "subscription-waits-for-its-processes",
    at: response?.at ?? 0,
    text: `The job of delivery ${textAt(job, "reference_id")} was claimed ${claims} times, while no process handled subscription ${endpoint.id}.`,
    entries: [responseEntry]
  }
}

function* unstated(endpoint: EndpointHistory, job: unknown, { request, response, responseEntry }: Call) {
  if ((timeAt(job, "next_run_at") ?? Infinity) > request.at - statedAfter - settling) return
  const named = listAt(response?.body, "data", "waiting_subscriptions")
  if (named.some((one) => textAt(one, "id") === endpoint.id)) return
  yield {
    promise: "waiting-subscription-is-named",
    at: response?.at ?? 0,
    text: `The service status does not name subscription ${endpoint.id}, whose events wait since ${textAt(job, "next_run_at")}.`,
    entries: [responseEntry]
  }
}
