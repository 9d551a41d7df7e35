import { isSuccess } from "../endpointChanges.js"
import { type AttemptRecord, type EndpointHistory, type History, isCalm } from "../History.js"
import { textAt } from "../json.js"
import { receivesUntil } from "../receivers.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { byEvent } from "./webhookSchedule.js"

/**
 * Polls of workers, latencies and clocks together. Shorter than a lease, which a job waits for that no process runs. In
 * ms.
 */
const atOnce = 5_000

/** An endpoint that answers in this time, in ms, holds up no events that come together. */
const quick = 1_000

/**
 * The first attempt of an event comes at once, which is within 5 s here (docs/receive-webhooks.md, the delays of
 * attempts).
 *
 * Not checked: events near a fault; endpoints that administrators changed; and those that failed, did not answer, or
 * took more than a second for an attempt in the minute before, because such attempts take the places of others.
 */
export function* webhookPromptness(history: History): Iterable<Violation> {
  for (const endpoint of history.endpoints.values()) {
    if (endpoint.changes.length > 0) continue
    const until = receivesUntil(history, endpoint)
    for (const [first] of byEvent(endpoint).values()) {
      if (first === undefined || first.number !== 1 || first.attempt.at > until) continue
      const createdAt = Date.parse(textAt(first.event, "created_at") ?? "")
      if (!(first.attempt.at > createdAt + atOnce) || createdAt < endpoint.createdUntil) continue
      if (!isCalm(history, createdAt, first.attempt.at) || !works(endpoint, createdAt, first)) continue
      yield {
        promise: "webhook-comes-at-once",
        at: first.attempt.at,
        text: `The first attempt of event ${first.eventId} at endpoint ${endpoint.id} comes ${first.attempt.at - createdAt} ms after the event.`,
        entries: [first.entry]
      }
    }
  }
}

/** Whether the endpoint accepted, in time, all other attempts from a minute before an event to its first attempt. */
const works = ({ attempts }: EndpointHistory, createdAt: number, first: AttemptRecord): boolean =>
  attempts.every(
    (record) =>
      record.attempt.at < createdAt - settling ||
      record.entry >= first.entry ||
      (isSuccess(record) && record.answer?.arrived === true && record.answer.at - record.attempt.at <= quick)
  )
