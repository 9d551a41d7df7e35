import { contactIdsOf } from "./erasures.js"
import type { Call, History, MessageHistory, Sighting } from "./History.js"
import { textAt, valueAt } from "./json.js"
import { plainHandle } from "./plainHandle.js"

/** Stop words of which this auditor is certain; the engine has many more. */
const stop = new Set(["stop", "unsubscribe"])

/** Only a start word clears an opt-out; which texts are start words in all languages is not known here. */
export const isStop = (text: string): boolean => stop.has(text.trim().toLowerCase())

/** Whether an administrator may have changed a contact of the message, or its handles. */
export const mayBeAdministered = ({ calls }: History, message: MessageHistory): boolean => {
  const ids = contactIdsOf(message)
  return calls.some(
    (call) =>
      changesContact(call) &&
      // The handles of a merged contact move to another one.
      (call.operation === "POST /contacts/{}/merge" || call.path[1] === undefined || ids.has(call.path[1]))
  )
}

export const changesContact = ({ api, path, request }: Call): boolean =>
  api === "admin" && path[0] === "contacts" && request.method !== "GET"

/** Whether a sighting shows that a message failed because its customer may have opted out while it waited. */
export const failedByOptOut = (
  history: History,
  message: MessageHistory,
  { entry, message: seen }: Sighting
): boolean => textAt(seen, "error", "code") === "validation_failed" && mayHaveOptedOut(history, message, entry)

/**
 * Whether the customer of a message may have opted out before an entry: by STOP from the handle of the message, or from
 * any handle where an administrator may have changed the contact; or by an administrator.
 */
const mayHaveOptedOut = (history: History, message: MessageHistory, before: number): boolean => {
  const isAdministered = mayBeAdministered(history, message)
  const handles = handlesOf(message)
  for (const { entry, event } of history.reports.values()) {
    if (entry >= before || event.report.type !== "message" || !isStop(event.report.text)) continue
    if (isAdministered || handles === null || handles.has(plainHandle(event.report.from))) return true
  }
  return isAdministered && history.calls.some((call) => call.entry < before && optsOut(call))
}

const optsOut = (call: Call): boolean => changesContact(call) && valueAt(call.request.body, "opted_out") === true

/** The handles to which a message was sent; null if they are not known: a reply, or a run's, that has not gone out. */
const handlesOf = ({ acknowledged, handOvers }: MessageHistory): ReadonlySet<string> | null => {
  const requested = acknowledged.map(({ request }) => textAt(request.body, "to") ?? "")
  const handles = [...requested, ...handOvers.map(({ handOver }) => handOver.to)]
  return handles.length === 0 ? null : new Set(handles.map(plainHandle))
}
