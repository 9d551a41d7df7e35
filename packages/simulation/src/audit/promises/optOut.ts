import type { Call, History } from "../History.js"
import { listAt, textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"
import { plainHandle } from "./handOvers.js"

/** Stop words of which this auditor is certain; the engine has many more. */
const stop = new Set(["stop", "unsubscribe"])

/** Only a start word clears an opt-out; which texts are start words in all languages is not known here. */
const isStop = (text: string): boolean => stop.has(text.trim().toLowerCase())

/**
 * A send to a contact that has opted out is refused: from the answer to the customer's STOP, or to the administrator's
 * change, until a message or a change that may clear it (docs/reference/contacts.md#opt-out). What was accepted before
 * still goes out (docs/reference/messages.md#sending-a-message).
 *
 * Not checked: marketing, other stop words, and connections with stop words of their own. Any later message of the
 * customer counts as one that may clear the opt-out, and so does any later change of the contact, its merge and its
 * erasure.
 */
export function* optOut(history: History): Iterable<Violation> {
  const periods = periodsOf(history)
  if (periods.length === 0) return
  for (const message of history.messages.values()) {
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
      if (period === undefined) continue
      yield {
        promise: "opted-out-contact-gets-nothing",
        at: call.response?.at ?? call.request.at,
        text: `Message ${message.id} to ${to} was accepted after this customer opted out.`,
        entries: [period.from, call.entry, call.responseEntry]
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
  const mayClear = ({ api, path, request, responseEntry }: Call): boolean =>
    api === "admin" && path[0] === "contacts" && request.method !== "GET" && responseEntry > from
  const change = history.calls.find(mayClear)
  return Math.min(until, change?.entry ?? Infinity)
}
