import { isSuccess } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, isCalm } from "../History.js"
import { textAt } from "../json.js"
import { receivesUntil } from "../receivers.js"
import { isServed } from "../serving.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { conversationOf } from "./subscriptionOrder.js"
import { byEvent } from "./webhookSchedule.js"

/**
 * Polls of workers, latencies and clocks together. Shorter than a lease, which a job waits for that no process runs. In
 * ms.
 */
const atOnce = 5_000

/** An attempt that is answered in this time, in ms, holds up no other. */
const quick = 1_000

/**
 * Slow attempts at one endpoint from which on others may wait: the usual concurrency of a subscription, and less than
 * half of an endpoint's cap (docs/reference/queue.md#lanes).
 */
const maxSlow = 16

/**
 * The first attempt of an event comes at once, which is within 5 s here (docs/receive-webhooks.md, the delays of
 * attempts).
 *
 * Not checked: events near a fault; endpoints that administrators changed; those that failed or did not answer an
 * attempt in the minute before; events during {@link maxSlow} slow attempts: such attempts take the capacity of others;
 * subscriptions that no process handled all the time, or that handle few events at once; and events of an ordered one
 * that wait for others of their conversation.
 */
export function* webhookPromptness(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.changes.length > 0 || (endpoint.subscription?.concurrency ?? maxSlow) < maxSlow) continue
    const until = receivesUntil(history, endpoint)
    for (const [first] of byEvent(endpoint).values()) {
      if (first === undefined || first.number !== 1 || first.attempt.at > until) continue
      const createdAt = Date.parse(textAt(first.event, "created_at") ?? "")
      if (!(first.attempt.at > createdAt + atOnce) || createdAt < endpoint.createdUntil) continue
      if (!isServed(endpoint, createdAt, first.attempt.at)) continue
      if (!isCalm(history, createdAt, first.attempt.at) || !works(endpoint, createdAt, first)) continue
      if (isBehind(endpoint, createdAt, first)) continue
      yield {
        promise: "webhook-comes-at-once",
        at: first.attempt.at,
        text: `The first attempt of event ${first.eventId} at endpoint ${endpoint.id} comes ${first.attempt.at - createdAt} ms after the event.`,
        entries: [first.entry]
      }
    }
  }
}

/**
 * Whether the endpoint accepted all other attempts from a minute before an event to its first attempt, and had capacity
 * left at the event.
 */
const works = ({ attempts }: EndpointHistory, createdAt: number, first: AttemptRecord): boolean => {
  const others = attempts.filter((record) => record.attempt.at >= createdAt - settling && record.entry < first.entry)
  const slow = others.filter(
    ({ answer, attempt }) => answer != null && answer.at > createdAt && answer.at - attempt.at > quick
  )
  return slow.length < maxSlow && others.every((record) => isSuccess(record) && record.answer?.arrived === true)
}

/** Whether an ordered subscription handled another event of the conversation after the event. */
const isBehind = ({ attempts, subscription }: EndpointHistory, createdAt: number, first: AttemptRecord): boolean =>
  subscription?.ordered === true &&
  attempts.some(
    (other) =>
      other.entry < first.entry &&
      conversationOf(other) === conversationOf(first) &&
      (other.answer === null || other.answer.at > createdAt)
  )
