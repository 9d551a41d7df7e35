import type { History, MessageHistory, Sighting } from "../History.js"
import { textAt, timeAt, valueAt } from "../json.js"
import { clockSkew } from "../tolerances.js"
import type { Violation } from "../Violation.js"

const order = ["queued", "sent", "delivered", "read"]
const failed = "failed"

/** What no state of a message changes. */
const fixed = ["connection_id", "conversation_id", "direction", "type", "body", "external_reference"]

/** What is set once. */
const times = ["sent_at", "delivered_at", "read_at", "received_at"]

/**
 * A message's status goes forward only: `queued`, `sent`, `delivered`, `read`; `failed` comes from `queued` or `sent`
 * and is final. Each status has its time, times are in order, and no reading and no webhook contradicts another one
 * (docs/reference/messages.md#message-status, docs/reference/messages.md#receipts). Inbound messages are `delivered`.
 *
 * Not checked: the contact, because a merge changes it; attachments, whose links are made anew; whether a time is
 * right, beyond its order.
 */
export function* statuses(history: History): Iterable<Violation> {
  for (const message of history.messages.values()) {
    yield* backwards(message)
    yield* consistent(message)
    for (const sighting of message.sightings) yield* wellFormed(message, sighting)
  }
}

const statusOf = ({ message }: Sighting): string => textAt(message, "status") ?? ""

/** The furthest state that was known before an entry. */
interface Known {
  readonly rank: number
  readonly isFailed: boolean
  readonly entry: number
  readonly status: string
}

function* backwards(message: MessageHistory): Iterable<Violation> {
  const known: Array<Known> = []
  const rejected = message.rejected[0]
  if (rejected !== undefined) {
    known.push({ rank: 0, isFailed: true, entry: rejected.responseEntry, status: failed })
  }
  for (const sighting of message.sightings) {
    const status = statusOf(sighting)
    const rank = order.indexOf(status)
    const before = sighting.since === null ? null : lastBefore(known, sighting.since)
    if (
      before !== null &&
      (before.isFailed ? status !== failed : status === failed ? before.rank > 1 : rank < before.rank)
    ) {
      yield {
        promise: "status-goes-forward",
        at: sighting.at,
        text: `Message ${message.id} was ${before.status} and is ${status} in a later reading.`,
        entries: [before.entry, sighting.entry]
      }
    }
    // Both were true at some time, and neither can follow the other.
    const last = known.at(-1)
    if (sighting.since === null && last !== undefined && isContradiction(last, status)) {
      yield {
        promise: "status-goes-forward",
        at: sighting.at,
        text: `Message ${message.id} was seen as ${last.status}, and an event has ${status}.`,
        entries: [last.entry, sighting.entry]
      }
    }
    if (last === undefined || (status === failed && !last.isFailed) || (!last.isFailed && rank > last.rank)) {
      known.push({ rank, isFailed: status === failed, entry: sighting.entry, status })
    }
  }
}

const isContradiction = (known: Known, status: string): boolean =>
  known.isFailed ? status === "delivered" || status === "read" : status === failed && known.rank > 1

const lastBefore = (known: ReadonlyArray<Known>, entry: number): Known | null =>
  known.findLast((state) => state.entry < entry) ?? null

function* consistent(message: MessageHistory): Iterable<Violation> {
  const first = message.sightings[0]
  if (first === undefined) return
  const firstTimes = new Map<string, { readonly value: unknown; readonly entry: number }>()
  const accepted = message.acknowledged[0]
  const requested = accepted === undefined ? undefined : (valueAt(accepted.request.body, "external_reference") ?? null)
  for (const sighting of message.sightings) {
    for (const field of fixed) {
      if (sighting.message[field] === first.message[field]) continue
      yield contradiction(message, field, first.entry, sighting)
    }
    for (const field of times) {
      const value = sighting.message[field] ?? null
      if (value === null) continue
      const known = firstTimes.get(field)
      if (known === undefined) firstTimes.set(field, { value, entry: sighting.entry })
      else if (known.value !== value) yield contradiction(message, field, known.entry, sighting)
    }
  }
  if (accepted !== undefined && (first.message.external_reference ?? null) !== (requested === "" ? null : requested)) {
    yield contradiction(message, "external_reference", accepted.entry, first)
  }
}

const contradiction = (message: MessageHistory, field: string, entry: number, sighting: Sighting): Violation => ({
  promise: "message-is-consistent",
  at: sighting.at,
  text: `Two answers about message ${message.id} have different values of ${field}.`,
  entries: [entry, sighting.entry]
})

function* wellFormed(message: MessageHistory, sighting: Sighting): Iterable<Violation> {
  const { message: seen } = sighting
  const status = statusOf(sighting)
  const problem =
    textAt(seen, "direction") === "inbound"
      ? status === "delivered"
        ? null
        : `is inbound and ${status}`
      : outboundProblem(sighting, status)
  if (problem === null) return
  yield {
    promise: "status-has-its-times",
    at: sighting.at,
    text: `Message ${message.id} ${problem}.`,
    entries: [sighting.entry]
  }
}

const outboundProblem = (sighting: Sighting, status: string): string | null => {
  const { eventType, message: seen } = sighting
  const rank = order.indexOf(status)
  if (rank < 0 && status !== failed) return `has the unknown status ${status}`
  if ((status === failed) !== (textAt(seen, "error", "code") !== null)) {
    return status === failed ? "failed without an error" : `is ${status} with an error`
  }
  const [sent, delivered, read] = [timeAt(seen, "sent_at"), timeAt(seen, "delivered_at"), timeAt(seen, "read_at")]
  const reached = [true, sent !== null, delivered !== null, read !== null]
  if (status === failed ? reached[2] || reached[3] : reached.some((isReached, step) => isReached !== step <= rank)) {
    return `is ${status} with the times sent_at ${sent}, delivered_at ${delivered}, read_at ${read}`
  }
  if ((sent ?? 0) > (delivered ?? Infinity) || (delivered ?? 0) > (read ?? Infinity)) return "has times out of order"
  if (Math.max(sent ?? 0, delivered ?? 0, read ?? 0) > sighting.at + clockSkew) return "has a time in the future"
  if (eventType?.startsWith("message.")) {
    const step = eventType.slice("message.".length)
    if (step === failed ? status !== failed : rank < order.indexOf(step)) return `is ${status} in an event ${eventType}`
  }
  return null
}
