import type { AttemptRecord, History } from "../History.js"
import { textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"

/** Events of which a resource has at most one, with the path of its id in `data`. */
const singular: { readonly [type: string]: ReadonlyArray<string> } = {
  "message.received": ["message", "id"],
  "message.queued": ["message", "id"],
  "message.sent": ["message", "id"],
  "message.delivered": ["message", "id"],
  "message.read": ["message", "id"],
  "message.failed": ["message", "id"],
  "conversation.created": ["conversation", "id"],
  "contact.created": ["contact", "id"],
  "lead.created": ["lead", "id"],
  "enqueued.failed": ["enqueued", "id"],
  "bot.started": ["bot", "session_id"],
  "bot.handoff": ["bot", "session_id"],
  "bot.completed": ["bot", "session_id"]
}

/** A session ends with one of these events. */
const ends = new Set(["bot.handoff", "bot.completed"])

/**
 * Each change has one event, written with it: a message becomes `sent` once, a contact is created once
 * (docs/reference/events.md#written-with-the-state-change). A message has no event of a state that it cannot reach:
 * `received` is for inbound messages, the others for outbound ones (docs/reference/events.md#event-types).
 *
 * Not checked: events that no endpoint receives, and events that may repeat, such as `contact.updated`.
 */
export function* eventsOnce(history: History): Iterable<Violation> {
  const firsts = new Map<string, AttemptRecord>()
  for (const record of history.attempts) {
    const { attempt, entry, event, eventId, type } = record
    const path = singular[type]
    if (path === undefined) continue
    const id = textAt(event, "data", ...path)
    const key = `${ends.has(type) ? "end" : type} ${id}`
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, record)
    else if (first.eventId !== eventId) {
      yield {
        promise: "event-once",
        at: attempt.at,
        text: `There are two events of ${id}, ${first.type} ${first.eventId} and ${type} ${eventId}.`,
        entries: [first.entry, entry]
      }
    }
    const direction = valueAt(event, "data", "message", "direction")
    if (direction !== undefined && (direction === "inbound") !== (type === "message.received")) {
      yield {
        promise: "event-once",
        at: attempt.at,
        text: `Message ${id} is ${direction} and has an event ${type}.`,
        entries: [entry]
      }
    }
  }
}
