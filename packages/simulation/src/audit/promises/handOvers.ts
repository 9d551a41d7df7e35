import {
  acknowledgedIds,
  type Call,
  connectionIdOf,
  type HandOverRecord,
  type History,
  isCalm,
  isUndisturbed,
  type MessageHistory
} from "../History.js"
import { listAt, textAt, valueAt } from "../json.js"
import { plainHandle } from "../plainHandle.js"
import { possibleValues } from "../possibleValues.js"
import { inFlight, prompt, providerTimeout } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * A message goes to its vendor again only if the last hand-over certainly did not go out, or the vendor dedupes, or the
 * connection's `unknown_outcome` is `resend` (docs/reference/messages.md#unknown-outcome,
 * docs/reference/sends.md#resend-or-hold). After an answer that accepts or rejects it, it is not handed over again at
 * all: `failed` is final (docs/reference/messages.md#message-status). It goes out on its own connection, with its text
 * and files, to the handle that it was sent to (docs/reference/messages.md#sending-a-message). One process at a time
 * hands it over (docs/reference/queue.md#lease), and none does while its connection is paused or disconnected
 * (docs/reference/channels.md#connection-status).
 *
 * Not checked: the order of messages of a connection, its rate, holds of a vendor, and the handle after a verdict
 * `moved`. Where a hand-over may be repeated, one that begins up to half a second after its message was seen as sent or
 * failed counts as in flight; 15 s where there is a fault between.
 */
export function* handOvers(history: History): Iterable<Violation> {
  for (const message of history.messages.values()) {
    if (message.handOvers.length === 0) continue
    yield* repeated(history, message)
    yield* afterEnd(history, message)
    yield* asSent(history, message)
    yield* overlapping(history, message)
    yield* throughInactive(history, message)
  }
}

/** The entry from which a connection may resend: 0 by the world, else where an administrator asks for it. */
const resendFrom = (history: History, connectionId: string): number => {
  const connection = history.connections.get(connectionId)
  if (connection === undefined || connection.dedupes || connection.unknownSends === "resend") return 0
  const change = history.connectionChanges
    .get(connectionId)
    ?.find(({ request }) => textAt(request.body, "config", "unknown_outcome") === "resend")
  return change?.entry ?? Infinity
}

/** Whether the answer that Parley received lets it hand the message over again. */
const mayRepeat = (earlier: HandOverRecord, later: HandOverRecord): boolean => {
  if (earlier.verdict === null || earlier.verdictEntry > later.entry) return false
  const { outcome } = earlier.verdict
  return outcome === "throttled" || outcome === "transient" || outcome === "moved"
}

const answerOf = ({ verdict, verdictEntry }: HandOverRecord, before: number): string =>
  verdict === null || verdictEntry > before ? "without an answer" : verdict.outcome

function* repeated(history: History, message: MessageHistory): Iterable<Violation> {
  const { handOvers } = message
  for (let index = 1; index < handOvers.length; index++) {
    const earlier = handOvers[index - 1]
    const later = handOvers[index]
    if (earlier === undefined || later === undefined || mayRepeat(earlier, later)) continue
    const mayResend = resendFrom(history, later.handOver.connectionId) < later.entry
    if (mayResend && !isSettled(history, earlier, later)) continue
    yield {
      promise: "handed-over-once",
      at: later.handOver.at,
      text: `Message ${message.id} was handed over again after a hand-over that was ${answerOf(earlier, later.entry)}.`,
      entries: [earlier.entry, later.entry]
    }
  }
}

/**
 * Whether the end of a hand-over was recorded for certain before a later one began: its answer arrived, and a lease
 * passed without a fault that could keep it from the storage.
 */
const isSettled = (history: History, earlier: HandOverRecord, later: HandOverRecord): boolean => {
  const { verdict } = earlier
  if (verdict === null || (verdict.outcome !== "accepted" && verdict.outcome !== "rejected")) return false
  if (later.handOver.at - verdict.at < inFlight) return false
  return isCalm(history, earlier.handOver.at, later.handOver.at)
}

function* afterEnd(history: History, message: MessageHistory): Iterable<Violation> {
  let ended: { readonly at: number; readonly entry: number; readonly status: string } | null = null
  for (const { at, entry, message: seen } of message.sightings) {
    const status = textAt(seen, "status") ?? "queued"
    if (status === "queued") continue
    ended = { at, entry, status }
    break
  }
  if (ended === null) return
  for (const { entry, handOver } of message.handOvers) {
    const mayBeInFlight = isUndisturbed(history, ended.at, handOver.at) ? prompt : inFlight
    if (entry < ended.entry || handOver.at < ended.at + mayBeInFlight) continue
    yield {
      promise: "handed-over-before-its-end",
      at: handOver.at,
      text: `Message ${message.id} was handed over ${handOver.at - ended.at} ms after it was seen as ${ended.status}.`,
      entries: [ended.entry, entry]
    }
  }
}

/**
 * Hand-overs that begin while another process hands the message over, and nothing kept that one from renewing its
 * lease. A process that lost its lease during a fault goes on as soon as it ends, if at all.
 */
function* overlapping(history: History, { handOvers, id }: MessageHistory): Iterable<Violation> {
  for (let index = 1; index < handOvers.length; index++) {
    const earlier = handOvers[index - 1]
    const later = handOvers[index]
    if (earlier === undefined || later === undefined || earlier.verdictEntry < later.entry) continue
    const [from, until] = [earlier.handOver.at, later.handOver.at]
    if (until - from >= providerTimeout || !isUndisturbed(history, from - prompt, until)) continue
    yield {
      promise: "handed-over-by-one-process",
      at: until,
      text: `${later.handOver.process} hands message ${id} over ${until - from} ms after ${earlier.handOver.process} began to, which waits for the answer.`,
      entries: [earlier.entry, later.entry]
    }
  }
}

function* throughInactive(history: History, { handOvers, id }: MessageHistory): Iterable<Violation> {
  for (const { entry, handOver } of handOvers) {
    const changes = history.connectionChanges.get(handOver.connectionId)
    if (changes === undefined || !isUndisturbed(history, handOver.at - prompt, handOver.at)) continue
    const statusIn = ({ request }: Call) => textAt(request.body, "status") ?? undefined
    const statuses = possibleValues("active", changes, statusIn, handOver.at - prompt, handOver.at)
    if (statuses.has("active")) continue
    yield {
      promise: "inactive-connection-sends-nothing",
      at: handOver.at,
      text: `Message ${id} is handed over while connection ${handOver.connectionId} is ${[...statuses].join(" or ")}.`,
      entries: [...changes.map(({ entry }) => entry), entry].filter((one) => one <= entry)
    }
  }
}

/** The part of a send's text and files that one of its messages has. */
const requestedPart = (
  { uploads }: History,
  call: Call,
  messageId: string
): { readonly text: string | null; readonly files: ReadonlyArray<string | null> } => {
  const { body } = call.request
  const all = listAt(body, "message", "attachments").map(
    // Null: the observer cannot know it.
    (file) => textAt(file, "url") ?? uploads.get(textAt(file, "attachment_id") ?? "") ?? null
  )
  const text = /^(text|media)$/.test(textAt(body, "type") ?? "") ? textAt(body, "message", "body") : null
  const ids = acknowledgedIds(call)
  if (ids.length < 2) return { text, files: all }
  const index = ids.indexOf(messageId)
  return {
    text: index === 0 ? text : "",
    files: index < ids.length - all.length ? [] : [all.at(index - ids.length) ?? null]
  }
}

function* asSent(history: History, message: MessageHistory): Iterable<Violation> {
  const call = message.acknowledged[0] ?? message.rejected[0]
  const connectionId = connectionIdOf(message)
  const part = call === undefined ? { text: null, files: [] } : requestedPart(history, call, message.id)
  const isSent = call !== undefined || message.replied !== null
  const text = isSent ? (part.text ?? textAt(message.sightings[0]?.message, "body")) : null
  const to = call === undefined ? undefined : valueAt(call.request.body, "to")
  let isMoved = false
  for (const { entry, handOver, verdict } of message.handOvers) {
    const differences = [
      handOver.connectionId !== connectionId ? `on connection ${handOver.connectionId}, not ${connectionId}` : null,
      text !== null && handOver.text !== text ? "with another text" : null,
      call !== undefined && !areSame(handOver.files, part.files) ? "with other files" : null,
      !isMoved && typeof to === "string" && !isUuidOrSame(to, handOver.to) ? "to another handle" : null
    ].filter((difference) => difference !== null)
    if (verdict?.outcome === "moved") isMoved = true
    if (differences.length === 0) continue
    yield {
      promise: "handed-over-as-sent",
      at: handOver.at,
      text: `Message ${message.id} was handed over ${differences.join(" and ")}.`,
      entries: call === undefined ? [entry] : [call.entry, entry]
    }
  }
}

const areSame = (handed: ReadonlyArray<string> | undefined, sent: ReadonlyArray<string | null>): boolean =>
  handed === undefined ||
  (handed.length === sent.length && sent.every((content, n) => content === null || content === handed[n]))

/** Web chat visitors are addressed by the id of the conversation, which is not the handle. */
const isUuidOrSame = (requested: string, handle: string): boolean =>
  requested === handle || plainHandle(requested) === plainHandle(handle) || /^[0-9a-f-]{36}$/.test(requested)
