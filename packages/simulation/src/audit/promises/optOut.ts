import { type History, isUndisturbed, type MessageHistory } from "../History.js"
import { listAt, textAt, valueAt } from "../json.js"
import { changesContact, isStop, mayBeAdministered } from "../optOuts.js"
import { plainHandle } from "../plainHandle.js"
import { inFlight, prompt, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

const promise = "opted-out-contact-gets-nothing"

/**
 * A send to a contact that has opted out is refused: from the answer to the customer's STOP, or to the administrator's
 * change, until a message or a change that may clear it (docs/reference/contacts.md#opt-out). A message that was
 * accepted before is not handed over if it waited (docs/reference/sends.md#opt-outs-while-a-message-waits).
 *
 * Not checked: marketing, other stop words, and connections with stop words of their own. Any later message of the
 * customer counts as one that may clear the opt-out, and so does any later change of the contact, its merge and its
 * erasure. Hand-overs of contacts that an administrator may have changed.
 */
export function* optOut(history: History): Iterable<Violation> {
  const periods = periodsOf(history)
  if (periods.length === 0) return
  for (const message of history.messages.values()) {
    yield* sentAfter(history, message, periods)
    yield* handedOverAfter(history, message, periods)
  }
}

function* sentAfter(history: History, message: MessageHistory, periods: ReadonlyArray<OptedOut>): Iterable<Violation> {
  for (const call of message.acknowledged) {
    if (call.response?.headers["idempotency-replayed"] === "true") continue
    const to = plainHandle(textAt(call.request.body, "to") ?? "")
    const channel = textAt(call.request.body, "channel")
    const workspaceId = history.applications.get(call.request.caller)?.application.workspaceId
    const period = periods.find(
      (known) =>
        known.handle === to &&
        known.channel === channel &&
        known.workspaceId === workspaceId &&
        call.entry > known.from &&
        call.responseEntry < known.until
    )
    // Answers to requests in a caller's transaction do not say that they are replays.
    if (period === undefined || message.acknowledged.some(({ entry }) => entry < period.from)) continue
    yield {
      promise,
      at: call.response?.at ?? call.request.at,
      text: `Message ${message.id} to ${to} was accepted after this customer opted out.`,
      entries: [period.from, call.entry, call.responseEntry]
    }
  }
}

/** A message that waits longer than this is not sent without a look at its contact. In ms. */
const waits = 15_000

function* handedOverAfter(
  history: History,
  message: MessageHistory,
  periods: ReadonlyArray<OptedOut>
): Iterable<Violation> {
  const knownAt = Math.min(
    ...message.acknowledged.map(({ response }) => response?.at ?? Infinity),
    ...message.sightings.map(({ at }) => at)
  )
  for (const [index, { entry, handOver }] of message.handOvers.entries()) {
    const connection = history.connections.get(handOver.connectionId)
    // A process may have read the contact before.
    const readFrom = handOver.at - (isUndisturbed(history, handOver.at - inFlight, handOver.at) ? prompt : settling)
    const waited = index > 0 || readFrom - knownAt > waits
    const period = periods.find(
      (known) =>
        known.handle === plainHandle(handOver.to) &&
        known.channel === connection?.channel &&
        known.workspaceId === connection.workspaceId &&
        known.at < readFrom &&
        known.until > entry
    )
    if (period !== undefined && waited && !mayBeAdministered(history, message)) {
      yield {
        promise,
        at: handOver.at,
        text: `Message ${message.id} to ${handOver.to} waited, and was handed over after this customer opted out.`,
        entries: [period.from, entry]
      }
    }
  }
}

/** A handle that is opted out for certain, from an entry to an entry. */
interface OptedOut {
  readonly workspaceId: string
  readonly channel: string
  readonly handle: string
  readonly from: number
  /** Time of `from` in ms. */
  readonly at: number
  until: number
}

const periodsOf = (history: History): ReadonlyArray<OptedOut> => {
  const periods: Array<OptedOut> = []
  for (const { acknowledged, event } of history.reports.values()) {
    const connection = history.connections.get(event.connectionId)
    if (event.report.type !== "message" || connection === undefined || acknowledged === null) continue
    if (!isStop(event.report.text) || history.connectionChanges.has(connection.id)) continue
    periods.push({
      workspaceId: connection.workspaceId,
      channel: connection.channel,
      handle: plainHandle(event.report.from),
      from: acknowledged.entry,
      at: acknowledged.at,
      until: Infinity
    })
  }
  for (const call of history.calls) {
    if (call.operation !== "PATCH /contacts/{}" || call.response?.status !== 200) continue
    if (valueAt(call.request.body, "opted_out") !== true) continue
    const data = valueAt(call.response.body, "data")
    for (const identity of listAt(data, "identities")) {
      periods.push({
        workspaceId: textAt(data, "workspace_id") ?? "",
        channel: textAt(identity, "channel") ?? "",
        handle: plainHandle(textAt(identity, "handle") ?? ""),
        from: call.responseEntry,
        at: call.response.at,
        until: Infinity
      })
    }
  }
  for (const period of periods) period.until = clearedFrom(history, period)
  return periods
}

/** The first entry that may clear an opt-out. */
const clearedFrom = (history: History, { from, handle }: OptedOut): number => {
  let until = Infinity
  for (const { calls, event } of history.reports.values()) {
    if (event.report.type !== "message" || plainHandle(event.report.from) !== handle || isStop(event.report.text))
      continue
    // A call that began earlier may take effect later.
    for (const { answerEntry, entry } of calls) if (answerEntry > from) until = Math.min(until, entry)
  }
  const change = history.calls.find((call) => changesContact(call) && call.responseEntry > from)
  return Math.min(until, change?.entry ?? Infinity)
}
