import { allowLists, eventLists, includesType } from "../endpointChanges.js"
import { erasuresOf } from "../erasures.js"
import type { History, VendorReport } from "../History.js"
import { textAt } from "../json.js"
import { receivesUntil } from "../receivers.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * A customer's message that was answered 2xx to the vendor is stored, once, however often the vendor delivers it
 * (docs/reference/messages.md#inbound-messages, docs/reference/provider-contract.md#inbound-acknowledgement). It is
 * found by its connection and text: of each text, there are at least as many messages as were acknowledged, and at most
 * as many as were delivered.
 *
 * Not checked: messages without an endpoint that receives `message.received` of their connection (that one is missing);
 * messages of erased contacts; which of two messages with one text is which.
 */
export function* inbound(history: History): Iterable<Violation> {
  const reports = new Map<string, Array<VendorReport>>()
  for (const report of history.reports.values()) {
    if (report.event.report.type !== "message") continue
    const key = `${report.event.connectionId} ${report.event.report.text}`
    const known = reports.get(key)
    if (known === undefined) reports.set(key, [report])
    else known.push(report)
  }
  const seen = messagesSeen(history)
  const called = new Set([...history.reports.values()].map(({ event }) => event.connectionId))
  for (const [key, ofText] of reports) yield* compare(history, ofText, seen.get(key) ?? [])
  for (const [key, messages] of seen) {
    const first = messages[0]
    // The journal may not have the calls of each vendor.
    if (first === undefined || reports.has(key) || !called.has(key.slice(0, key.indexOf(" ")))) continue
    yield {
      promise: "inbound-message-once",
      at: first.at,
      text: `The inbound message ${first.id} was not delivered by a vendor.`,
      entries: [first.entry]
    }
  }
}

interface Seen {
  readonly id: string
  readonly at: number
  readonly entry: number
}

/** Inbound messages, by connection and text. */
const messagesSeen = (history: History): ReadonlyMap<string, ReadonlyArray<Seen>> => {
  const seen = new Map<string, Array<Seen>>()
  for (const { id, sightings } of history.messages.values()) {
    const [first] = sightings
    if (first === undefined || textAt(first.message, "direction") !== "inbound") continue
    const key = `${textAt(first.message, "connection_id")} ${textAt(first.message, "body")}`
    const known = seen.get(key)
    const message = { id, at: first.at, entry: first.entry }
    if (known === undefined) seen.set(key, [message])
    else known.push(message)
  }
  return seen
}

/** Different messages of the vendor: two events may report the same one. */
const countOf = (reports: ReadonlyArray<VendorReport>): number =>
  new Set(reports.map(({ event }) => (event.report.type === "message" ? event.report.providerMessageId : ""))).size

function* compare(
  history: History,
  reports: ReadonlyArray<VendorReport>,
  seen: ReadonlyArray<Seen>
): Iterable<Violation> {
  const first = reports[0]
  if (first === undefined) return
  const { connectionId } = first.event
  const delivered = countOf(reports)
  const last = seen.at(-1)
  if (last !== undefined && seen.length > delivered) {
    yield {
      promise: "inbound-message-once",
      at: last.at,
      text: `On connection ${connectionId}, ${delivered} messages with one text were delivered, and ${seen.length} are stored: ${seen
        .map(({ id }) => id)
        .join(", ")}.`,
      entries: [...reports.map(({ entry }) => entry), ...seen.map(({ entry }) => entry)]
    }
  }
  if (history.end === null) return
  const acknowledged = reports.filter((report) => report.acknowledged !== null)
  const latest = Math.max(...acknowledged.map((report) => report.acknowledged?.at ?? 0))
  if (countOf(acknowledged) <= seen.length || !isObserved(history, connectionId, latest)) return
  if (erasuresOf(history).size > 0) return
  yield {
    promise: "acknowledged-inbound-message-is-stored",
    at: history.end.at,
    text: `On connection ${connectionId}, ${countOf(acknowledged)} messages with one text were answered 2xx, and ${seen.length} are stored.`,
    entries: acknowledged.map(({ entry }) => entry)
  }
}

/** Whether an endpoint receives all inbound messages of a connection, up to a time, and had the time to. */
const isObserved = (history: History, connectionId: string, until: number): boolean =>
  [...history.endpoints.values()].some(
    (endpoint) =>
      endpoint.createdUntil === -Infinity &&
      includesType(eventLists(endpoint)[0]?.value ?? [""], "message.received") &&
      (allowLists(history, endpoint.applicationId)[0]?.value ?? []).includes(connectionId) &&
      receivesUntil(history, endpoint) > until
  ) && (history.end?.at ?? 0) > Math.max(until, history.quiet?.at ?? 0) + settling
