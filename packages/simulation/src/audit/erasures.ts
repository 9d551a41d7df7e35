import type { AttemptRecord, Call, History, MessageHistory } from "./History.js"
import { textAt } from "./json.js"

/**
 * Contacts that an administrator erased, or may have erased where the response is missing or 5xx; with contacts that
 * were merged, or may have been merged, into one of these. By contact id.
 */
export const erasuresOf = (history: History): ReadonlyMap<string, Call> => {
  const erasures = new Map<string, Call>()
  const merges: Array<{ readonly from: string; readonly into: string }> = []
  for (const call of history.calls) {
    if (call.api !== "admin" || call.path[0] !== "contacts") continue
    const id = call.path[1] ?? ""
    const status = call.response?.status ?? 500
    const mayHaveSucceeded = status === 200 || status >= 500
    if (!mayHaveSucceeded) continue
    if (call.operation === "DELETE /contacts/{}" && erasures.get(id)?.response?.status !== 200) {
      erasures.set(id, call)
    }
    const from = textAt(call.request.body, "contact_id")
    if (call.operation === "POST /contacts/{}/merge" && from !== null) merges.push({ from, into: id })
  }
  // Again after each finding: a merge without a response may have come before or after the others.
  const findNext = () => merges.find(({ from, into }) => erasures.has(into) && !erasures.has(from))
  for (let found = findNext(); found !== undefined; found = findNext()) {
    erasures.set(found.from, erasures.get(found.into) as Call)
  }
  return erasures
}

/** The ids of contacts that a message was seen with. */
export const contactIdsOf = (message: MessageHistory): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const call of message.acknowledged) ids.add(textAt(call.response?.body, "data", "contact_id") ?? "")
  for (const { message: seen } of message.sightings) ids.add(textAt(seen, "contact_id") ?? "")
  return ids
}

/** The erasure that deletes a message; null without one. */
export const erasureOfMessage = (erasures: ReadonlyMap<string, Call>, message: MessageHistory): Call | null => {
  if (erasures.size === 0) return null
  for (const id of contactIdsOf(message)) {
    const erasure = erasures.get(id)
    if (erasure !== undefined) return erasure
  }
  return null
}

/** The erasure that deletes the event of an attempt, which names its contact; null without one. */
export const erasureOfEvent = (
  { messages }: History,
  erasures: ReadonlyMap<string, Call>,
  { attempt, event }: AttemptRecord
): Call | null => {
  for (const [contactId, erasure] of erasures) if (attempt.body.includes(contactId)) return erasure
  const message = messages.get(textAt(event, "data", "message", "id") ?? "")
  return message === undefined ? null : erasureOfMessage(erasures, message)
}
