import { mayHaveTakenEffect, startsDeliveries } from "../endpointChanges.js"
import { type AttemptRecord, type History, isUndisturbed } from "../History.js"
import { attemptTimeout, inFlight, prompt } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { byEvent } from "./webhookSchedule.js"

/**
 * An attempt is not made a second time before the first one ended, because one process at a time holds the lease of its
 * job (docs/reference/queue.md#invariants).
 *
 * Not checked: attempts near a fault, after which receivers may get an event twice
 * (docs/reference/webhooks.md#order-and-duplicates), and those of endpoints whose deliveries an administrator started
 * again.
 */
export function* webhookDuplicates(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.changes.some((call) => startsDeliveries(call) && mayHaveTakenEffect(call))) continue
    for (const attempts of byEvent(endpoint).values()) {
      const firsts = new Map<number, AttemptRecord>()
      for (const later of attempts) {
        const first = firsts.get(later.number)
        if (first === undefined) firsts.set(later.number, later)
        else if (isDuplicate(history, first, later)) yield duplicate(first, later)
      }
    }
  }
}

const isDuplicate = (history: History, first: AttemptRecord, later: AttemptRecord): boolean => {
  const [from, until] = [first.attempt.at, later.attempt.at]
  // The host may repeat a request on another connection.
  if (first.attempt.headers["x-delivery-id"] === later.attempt.headers["x-delivery-id"]) return false
  return until < (first.answer?.at ?? from + attemptTimeout) + prompt && isUndisturbed(history, from - inFlight, until)
}

const duplicate = (first: AttemptRecord, { attempt, endpoint, entry, eventId, number }: AttemptRecord): Violation => ({
  promise: "webhook-attempted-once",
  at: attempt.at,
  text: `Attempt ${number} of event ${eventId} at endpoint ${endpoint?.id} is made by ${attempt.process}, ${attempt.at - first.attempt.at} ms after ${first.attempt.process} began it.`,
  entries: [first.entry, entry]
})
