import type { Call, History } from "../History.js"
import type { Enqueue } from "../Journal.js"
import { textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"
import { eventKey, runsOf } from "../workflows.js"

/** Codes of failures that pass. */
const temporary: ReadonlySet<string> = new Set(["service_unavailable", "internal_error"])

/**
 * A request that an application wrote in a transaction of its own is accepted or refused if the transaction was
 * committed, and has no effect if it was rolled back (docs/reference/enqueue.md#invariants). A temporary refusal is
 * tried again (docs/reference/enqueue.md#shape-and-rules). The other promises hold for an accepted one as for
 * `POST /messages` and `POST /events`.
 *
 * Not checked: how soon it is decided; transactions of processes that ended, which may be either.
 */
export function* enqueued(history: History): Iterable<Violation> {
  if (history.enqueued.size === 0) return
  for (const { call, enqueue, entry, outcome, outcomeEntry } of history.enqueued.values()) {
    const status = outcome?.status ?? null
    if (call !== null && history.end !== null && status !== "accepted" && status !== "refused") {
      yield {
        promise: "enqueued-request-is-decided",
        at: history.end.at,
        text: `The committed request ${enqueue.id} is ${status ?? "unknown"} at the end.`,
        entries: outcome === null ? [call.entry] : [call.entry, outcomeEntry]
      }
    }
    const code = textAt(outcome?.answer?.body, "error", "code") ?? ""
    if (outcome !== null && temporary.has(code)) {
      yield {
        promise: "temporary-refusal-is-tried-again",
        at: outcome.at,
        text: `The request ${enqueue.id} is refused for good, with ${code}.`,
        entries: [entry, outcomeEntry]
      }
    }
    if (enqueue.commits) continue
    if (outcome !== null && status !== null) {
      yield {
        promise: "rolled-back-request-has-no-effect",
        at: outcome.at,
        text: `The request ${enqueue.id} was rolled back, and is ${status}.`,
        entries: [entry, outcomeEntry]
      }
    }
    yield* message(history, textAt(enqueue.body, "external_reference"), entry)
    yield* run(history, enqueue, entry)
  }
}

/** A message with the reference of a request that was rolled back, and of no other request. */
function* message(history: History, reference: string | null, entry: number): Iterable<Violation> {
  const isOf = (value: unknown) => textAt(value, "external_reference") === reference
  if (reference === null || history.requests.some(({ request }) => isOf(request.body))) return
  for (const { id, sightings } of history.messages.values()) {
    const seen = sightings.find(({ message }) => isOf(message))
    if (seen === undefined) continue
    yield {
      promise: "rolled-back-request-has-no-effect",
      at: seen.at,
      text: `Message ${id} has the reference ${reference}, whose request was rolled back.`,
      entries: [entry, seen.entry]
    }
  }
}

/** A run of an event that was rolled back, and that no other request has. */
function* run(history: History, { caller, body, id, operation }: Enqueue, entry: number): Iterable<Violation> {
  const keyOf = (name: string, event: unknown) =>
    eventKey(
      history.applications.get(name)?.application.id ?? "",
      textAt(event, "event") ?? "",
      valueAt(event, "data") ?? {}
    )
  const key = keyOf(caller, body)
  const isOther = (call: Call) => call.operation === operation && keyOf(call.request.caller, call.request.body) === key
  if (operation !== "POST /events" || history.requests.some(isOther)) return
  for (const { event, id: runId, readings } of runsOf(history).values()) {
    const reading = readings[0]
    if (event !== key || reading === undefined) continue
    yield {
      promise: "rolled-back-request-has-no-effect",
      at: reading.call.request.at,
      text: `Run ${runId} is of the event of request ${id}, which was rolled back.`,
      entries: [entry, reading.call.entry]
    }
  }
}
