import { isSuccess } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, isCalm } from "../History.js"
import { textAt } from "../json.js"
import { receivesUntil } from "../receivers.js"
import { servingProcesses } from "../serving.js"
import { prompt, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { conversationOf } from "./subscriptionOrder.js"
import { byEvent } from "./webhookSchedule.js"

/**
 * Polls of workers, latencies and clocks together. Shorter than a lease, which a job waits for that no process runs. In
 * ms.
 */
const atOnce = 5_000

/** Time from the storing of an endpoint to the recovery of the events that it lacks, in ms. */
const catchUp = 60_000

/** An attempt that is answered in this time, in ms, holds up no other. */
const quick = 1_000

/**
 * Slow attempts at one URL, of all processes, from which on others may wait: less than half of an endpoint's cap
 * (docs/reference/queue.md#lanes).
 */
const maxSlow = 16

/** The usual concurrency of a subscription. */
const usualConcurrency = 16

/**
 * The first attempt of an event comes at once, which is within 5 s here (docs/receive-webhooks.md, the delays of
 * attempts).
 *
 * Not checked: events near a fault; endpoints that administrators changed; those that failed or did not answer an
 * attempt in the minute before; events that had no capacity in the last 5 s, because of slow attempts; subscriptions
 * that no process handled all the time, or that handle few events at once; and events of an ordered one that wait for
 * others of their conversation.
 */
export function* webhookPromptness(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.changes.length > 0 || (endpoint.subscription?.concurrency ?? Infinity) < usualConcurrency) continue
    const until = receivesUntil(history, endpoint)
    for (const [first] of byEvent(endpoint).values()) {
      if (first === undefined || first.number !== 1 || first.attempt.at > until) continue
      const createdAt = Date.parse(textAt(first.event, "created_at") ?? "")
      if (!(first.attempt.at > dueAt(endpoint, createdAt) + atOnce) || createdAt < endpoint.createdUntil) continue
      if (!isCalm(history, createdAt, first.attempt.at) || !works(endpoint, createdAt, first)) continue
      if (!hasCapacity(endpoint, createdAt, first) || isBehind(endpoint, createdAt, first)) continue
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
 * The due time of the first attempt. Of an event that may have been decided before the endpoint was stored, a minute
 * after the endpoint (docs/reference/events.md#who-receives-an-event).
 */
const dueAt = ({ storedAt }: EndpointHistory, createdAt: number): number =>
  Math.abs(createdAt - storedAt) < prompt ? storedAt + catchUp : createdAt

/** Other attempts from a minute before an event to its first attempt. */
const othersOf = ({ attempts }: EndpointHistory, createdAt: number, first: AttemptRecord) =>
  attempts.filter((record) => record.attempt.at >= createdAt - settling && record.entry < first.entry)

/** Whether the endpoint accepted all other attempts from a minute before an event to its first attempt. */
const works = (endpoint: EndpointHistory, createdAt: number, first: AttemptRecord): boolean =>
  othersOf(endpoint, createdAt, first).every((record) => isSuccess(record) && record.answer?.arrived === true)

/**
 * Whether slow attempts left capacity in the 5 s before the first attempt of an event: of a subscription, in a process
 * that handled it all the time. A process takes no more events of a subscription while more than half of its
 * concurrency runs (docs/reference/queue.md#claim-size).
 */
const hasCapacity = (endpoint: EndpointHistory, createdAt: number, first: AttemptRecord): boolean => {
  const slow = othersOf(endpoint, createdAt, first).filter(
    ({ answer, attempt }) => answer !== null && answer.at > first.attempt.at - atOnce && answer.at - attempt.at > quick
  )
  const { subscription } = endpoint
  if (subscription === null) return slow.length < maxSlow
  return servingProcesses(subscription, createdAt, first.attempt.at).some(
    (process) => slow.filter(({ attempt }) => attempt.process === process).length <= subscription.concurrency / 2
  )
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
