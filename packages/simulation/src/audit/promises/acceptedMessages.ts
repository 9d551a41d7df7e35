import { erasureOfMessage, erasuresOf } from "../erasures.js"
import { firstRequestAt } from "../firstRequestAt.js"
import { acceptedBy, type Call, connectionIdOf, type History, isCalm, type MessageHistory } from "../History.js"
import { textAt } from "../json.js"
import { failedByOptOut } from "../optOuts.js"
import { inFlight, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/** States of `GET /messages/{id}/sending` in which a message may stay for as long as its reason lasts. */
const reasons = new Set(["rate_limited", "throttled", "retrying", "connection_inactive", "outcome_unknown", "parked"])

/** States of a message whose turn has come: they last for moments only. */
const moments = new Set(["sending", "due"])

/**
 * A send, or an agent's reply, that was answered 202 exists from then on, and ends: as `sent`, `delivered`, `read` or
 * `failed`, or it waits for a reason that `GET /messages/{id}/sending` states
 * (docs/reference/messages.md#sending-a-message, docs/reference/conversations.md#agents-replies,
 * docs/reference/administration.md#sending). A send that was answered 502 has failed
 * (docs/reference/messages.md#rejected-within-the-wait). Its outcome is unknown, or it fails after 24 hours, only if it
 * may have been handed over (docs/reference/messages.md#unknown-outcome), or its customer opted out
 * (docs/reference/sends.md#opt-outs-while-a-message-waits).
 *
 * Not checked: whether the stated reason is true, and messages whose contact was erased.
 */
export function* acceptedMessages(history: History): Iterable<Violation> {
  const erasures = erasuresOf(history)
  yield* missing(history, erasures)
  const readings = history.end === null ? null : sendingReadings(history)
  for (const message of history.messages.values()) {
    yield* acknowledgement(message)
    if (readings !== null && acceptedBy(message).length > 0 && erasureOfMessage(erasures, message) === null) {
      yield* ending(history, message, readings)
      yield* neverHandedOver(history, message, readings)
    }
  }
}

/** Readings that do not find a message which the same application was acknowledged before. */
function* missing(history: History, erasures: ReadonlyMap<string, Call>): Iterable<Violation> {
  for (const call of history.calls) {
    if (call.operation !== "GET /messages/{}" || call.response?.status !== 404) continue
    const message = history.messages.get(call.path[1] ?? "")
    if (message === undefined) continue
    const accepted = acceptedBy(message).find(({ responseEntry }) => responseEntry < call.entry)
    if (accepted === undefined) continue
    if (call.api === "public" && accepted.request.caller !== call.request.caller) continue
    if (call.api === "public" && (history.applications.get(call.request.caller)?.changes.length ?? 0) > 0) continue
    if (erasureOfMessage(erasures, message) !== null) continue
    yield {
      promise: "accepted-message-exists",
      at: call.response.at,
      text: `Message ${message.id} was accepted, and a later GET answers 404.`,
      entries: [accepted.responseEntry, call.responseEntry]
    }
  }
}

function* acknowledgement(message: MessageHistory): Iterable<Violation> {
  for (const { response, responseEntry } of acceptedBy(message)) {
    if (textAt(response?.body, "data", "status") === "queued") continue
    yield {
      promise: "accepted-message-is-queued",
      at: response?.at ?? 0,
      text: `The acknowledgement of message ${message.id} does not have the status queued.`,
      entries: [responseEntry]
    }
  }
}

/** The last `GET /messages/{id}/sending` of each message. */
const sendingReadings = (history: History): ReadonlyMap<string, Call> => {
  const readings = new Map<string, Call>()
  for (const call of history.calls) {
    if (call.operation === "GET /messages/{}/sending" && call.response?.status === 200) {
      readings.set(call.path[1] ?? "", call)
    }
  }
  return readings
}

function* ending(history: History, message: MessageHistory, readings: ReadonlyMap<string, Call>): Iterable<Violation> {
  const quiet = history.quiet ?? { at: 0, entry: 0 }
  const accepted = acceptedBy(message)[0]?.responseEntry ?? 0
  const reading = message.sightings.findLast(({ since }) => since !== null && since > quiet.entry)
  if (reading === undefined) {
    yield {
      promise: "accepted-message-ends",
      at: history.end?.at ?? 0,
      text: `Message ${message.id} was accepted, and no reading after the quiet shows it.`,
      entries: [accepted]
    }
    return
  }
  if (textAt(reading.message, "status") !== "queued") return
  const sending = readings.get(message.id)
  const state = sending === undefined ? null : textAt(sending.response?.body, "data", "state")
  if (state !== null && reasons.has(state)) return
  // A reading soon after the quiet may come between two steps.
  if (reading.at < quiet.at + settling && (state === null || moments.has(state))) return
  yield {
    promise: "accepted-message-ends",
    at: reading.at,
    text: `Message ${message.id} is still queued ${reading.at - quiet.at} ms after the quiet, ${
      state === null ? "without a stated reason" : `in the state ${state}`
    }.`,
    entries: sending === undefined ? [accepted, reading.entry] : [accepted, reading.entry, sending.responseEntry]
  }
}

/**
 * A message whose end says that it may have gone out, and that was handed over to no vendor. A fault soon after the
 * acceptance may have come between the claim of its job and the call; a hold or a change of the connection delays it to
 * a later fault.
 */
function* neverHandedOver(
  history: History,
  message: MessageHistory,
  readings: ReadonlyMap<string, Call>
): Iterable<Violation> {
  const { handOvers, sightings } = message
  const [accepted] = acceptedBy(message)
  const last = sightings.at(-1)
  if (accepted === undefined || last === undefined || handOvers.length > 0) return
  const connectionId = connectionIdOf(message) ?? ""
  const isDelayed =
    history.connectionChanges.has(connectionId) ||
    history.handOvers.some(
      ({ handOver, verdict }) => handOver.connectionId === connectionId && verdict?.outcome === "throttled"
    )
  const acceptedAt = firstRequestAt(history, accepted)
  if (isDelayed || !isCalm(history, acceptedAt, acceptedAt + inFlight)) return
  const sending = readings.get(message.id)
  const isUnknown = textAt(sending?.response?.body, "data", "state") === "outcome_unknown"
  if (textAt(last.message, "status") !== "failed" && !isUnknown) return
  if (failedByOptOut(history, message, last)) return
  yield {
    promise: "accepted-message-is-handed-over",
    at: last.at,
    text: `Message ${message.id} is ${isUnknown ? "of unknown outcome" : "failed"}, and was never handed over to a vendor.`,
    entries: [accepted.entry, last.entry]
  }
}
