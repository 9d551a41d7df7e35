import { isSuccess, mayHaveTakenEffect, startsDeliveries } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, isUndisturbed } from "../History.js"
import { textAt } from "../json.js"
import { inFlight } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { byEvent } from "./webhookSchedule.js"

/**
 * An ordered subscription handles the events of a conversation one after another, in their order: none begins while
 * another one is handled, or before an earlier one that was tried has ended
 * (docs/reference/webhooks.md#order-of-a-conversation).
 *
 * Not checked: endpoints whose deliveries an administrator replayed or recovered; attempts near a fault that ends
 * leases, except that an event is not passed by while it waits to be tried again; the order of events of which none was
 * tried, because their commits may end in another order.
 */
export function* subscriptionOrder(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.subscription?.ordered !== true) continue
    if (endpoint.changes.some((call) => startsDeliveries(call) && mayHaveTakenEffect(call))) continue
    for (const attempts of byConversation(endpoint).values()) yield* orderOf(history, endpoint, attempts)
  }
}

/** The conversation of an event; null if it has none. */
export const conversationOf = ({ event }: AttemptRecord): string | null =>
  textAt(event, "data", "message", "conversation_id") ?? textAt(event, "data", "conversation", "id")

const byConversation = (endpoint: EndpointHistory): ReadonlyMap<string, ReadonlyArray<AttemptRecord>> => {
  const conversations = new Map<string, Array<AttemptRecord>>()
  for (const record of endpoint.attempts) {
    const conversation = conversationOf(record)
    if (conversation === null) continue
    const known = conversations.get(conversation)
    if (known === undefined) conversations.set(conversation, [record])
    else known.push(record)
  }
  return conversations
}

function* orderOf(
  history: History,
  endpoint: EndpointHistory,
  attempts: ReadonlyArray<AttemptRecord>
): Iterable<Violation> {
  const events = byEvent({ ...endpoint, attempts: [...attempts] })
  for (const record of attempts) {
    for (const [eventId, others] of events) {
      if (eventId === record.eventId) continue
      const before = others.findLast(({ entry }) => entry < record.entry)
      if (before === undefined) continue
      const runs = before.answer !== null && before.answerEntry > record.entry
      const waits =
        eventId < record.eventId &&
        !others.some((other) => isSuccess(other) && other.answerEntry < record.entry) &&
        others.some(({ entry }) => entry > record.entry)
      if (!waits && !(runs && isUndisturbed(history, before.attempt.at - inFlight, record.attempt.at))) continue
      yield {
        promise: "subscription-keeps-order",
        at: record.attempt.at,
        text: `Subscription ${endpoint.id} gets event ${record.eventId} while event ${eventId} of the same conversation ${runs ? "is handled" : "waits to be tried again"}.`,
        entries: [before.entry, record.entry]
      }
    }
  }
}
