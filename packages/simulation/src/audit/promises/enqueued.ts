import type { History } from "../History.js"
import { textAt } from "../json.js"
import type { Violation } from "../Violation.js"

/** Codes of failures that pass. */
const temporary: ReadonlySet<string> = new Set(["service_unavailable", "internal_error"])

/**
 * A request that an application wrote in a transaction of its own is accepted or refused if the transaction was
 * committed, and has no effect if it was rolled back (docs/reference/enqueue.md#invariants). A temporary refusal is
 * tried again (docs/reference/enqueue.md#shape-and-rules). The other promises hold for an accepted one as for
 * `POST /messages`.
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
