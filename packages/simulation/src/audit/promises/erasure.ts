import { contactIdsOf, erasuresOf } from "../erasures.js"
import { type Call, type History, isUndisturbed } from "../History.js"
import { listAt, textAt, valueAt } from "../json.js"
import { plainHandle } from "../plainHandle.js"
import { inFlight, settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/** What may name an erased contact (docs/contacts.md#erasure): logs, and the job that erases. */
const kept = new Set(["audit-log", "request-log", "jobs"])

/**
 * From the answer to its erasure on, a contact and its conversations do not exist; its messages, files, events, runs
 * and all else go soon after (docs/reference/contacts.md#erasure). Nothing of it is handed over to a vendor any more,
 * except what the vendor was processing.
 *
 * Not checked: texts and names; handles that a caller or a customer uses again; replayed answers, which are kept for 24
 * hours; what administrators read in logs and unknown events. "Soon" is 60 s after the erasure and after the last fault
 * before it.
 */
export function* erasure(history: History): Iterable<Violation> {
  for (const [contactId, call] of erasuresOf(history)) {
    if (call.response?.status !== 200) continue
    if (call.path[1] !== contactId && !wasMergedBefore(history, contactId, call)) continue
    yield* ofContact(history, contactId, call, call.response.at)
  }
}

/** Whether a contact was merged into the erased one for certain before. */
const wasMergedBefore = ({ calls }: History, contactId: string, erased: Call): boolean =>
  calls.some(
    ({ operation, path, request, response, responseEntry }) =>
      operation === "POST /contacts/{}/merge" &&
      path[1] === erased.path[1] &&
      response?.status === 200 &&
      responseEntry < erased.entry &&
      textAt(request.body, "contact_id") === contactId
  )

function* ofContact(history: History, contactId: string, call: Call, erasedAt: number): Iterable<Violation> {
  const messageIds = new Set<string>()
  const conversationIds = new Set<string>()
  for (const message of history.messages.values()) {
    if (!contactIdsOf(message).has(contactId)) continue
    messageIds.add(message.id)
    for (const { message: seen } of message.sightings) conversationIds.add(textAt(seen, "conversation_id") ?? "")
    for (const { response } of message.acknowledged) {
      conversationIds.add(textAt(response?.body, "data", "conversation_id") ?? "")
    }
    for (const { entry, handOver } of message.handOvers) {
      // While the database is slow, a send that has read its message hands it over later.
      if (handOver.at <= erasedAt + inFlight || !isUndisturbed(history, handOver.at - inFlight, handOver.at)) continue
      yield violation(call, handOver.at, `message ${message.id} is handed over`, contactId, entry)
    }
  }
  yield* filesThatRemain(history, contactId, call, messageIds, erasedAt)
  yield* sendsTo(history, contactId, call)
  const erased: Erased = { contactId, conversationIds, messageIds, handles: unusedHandles(history, contactId, call) }
  for (const later of history.calls) {
    if (later.entry < call.responseEntry || later.response === null || later.response.status !== 200) continue
    if (kept.has(later.path[0] ?? "") || later.path.at(-1) === "unknown-events") continue
    const isLate = later.request.at > calmAfter(history, erasedAt, later.entry)
    const problem = remainsOf(later.response.body, erased, isLate)
    if (problem === null) continue
    yield violation(call, later.response.at, `${later.request.path} has ${problem}`, contactId, later.responseEntry)
  }
  for (const { attempt, entry, event } of history.attempts) {
    if (entry < call.responseEntry || attempt.at <= calmAfter(history, erasedAt, entry)) continue
    const problem = remainsOf(valueAt(event, "data"), erased, true)
    if (problem === null) continue
    yield violation(call, attempt.at, `a webhook has ${problem}`, contactId, entry)
  }
}

/** Sends after the erasure, which make a new contact of the handle. */
function* sendsTo(history: History, contactId: string, call: Call): Iterable<Violation> {
  for (const { entry, operation, response, responseEntry } of history.calls) {
    if (operation !== "POST /messages" || response?.status !== 202 || entry < call.responseEntry) continue
    if (response.headers["idempotency-replayed"] === "true") continue
    if (textAt(response.body, "data", "contact_id") !== contactId) continue
    yield violation(call, response.at, "a message is accepted for it", contactId, responseEntry)
  }
}

/** Files at URLs that only messages of the contact have, and that are stored at the end. Uploads are kept for a day. */
function* filesThatRemain(
  history: History,
  contactId: string,
  call: Call,
  messageIds: ReadonlySet<string>,
  erasedAt: number
): Iterable<Violation> {
  const { calls, end } = history
  if (end === null || end.files.length === 0 || end.at <= calmAfter(history, erasedAt, end.entry)) return
  const stored = new Set(end.files)
  for (const { request, response } of calls) {
    const urls = listAt(request.body, "message", "attachments").map((file) => textAt(file, "url"))
    const accepted = response?.status === 202 ? textAt(response.body, "data", "message_id") : null
    // Requests of other messages for the same URL, or without a known result, may keep the file.
    if (
      urls.length > 0 &&
      (response === null || response.status >= 500 || (accepted !== null && !messageIds.has(accepted)))
    )
      for (const url of urls) stored.delete(url ?? "")
  }
  for (const { request } of calls.filter(({ response }) =>
    messageIds.has(textAt(response?.body, "data", "message_id") ?? "")
  )) {
    for (const file of listAt(request.body, "message", "attachments")) {
      const url = textAt(file, "url")
      if (url !== null && stored.has(url))
        yield violation(call, end.at, `its file ${url} is stored`, contactId, end.entry)
    }
  }
}

const violation = (call: Call, at: number, problem: string, contactId: string, entry: number): Violation => ({
  promise: "erased-contact-is-gone",
  at,
  text: `After contact ${contactId} was erased, ${problem}.`,
  entries: [call.responseEntry, entry]
})

/** The time by which the job that erases is done, for all that an entry shows. */
const calmAfter = (history: History, erasedAt: number, entry: number): number => {
  let from = erasedAt
  for (const fault of history.faults) if (fault.entry < entry) from = Math.max(from, fault.until)
  return from + settling
}

/** Handles of the contact that appear in no later request and no later call of a vendor. */
const unusedHandles = (history: History, contactId: string, erased: Call): ReadonlySet<string> => {
  const handles = new Set<string>()
  for (const { response } of history.calls) {
    const data = valueAt(response?.body, "data")
    if (textAt(data, "id") !== contactId) continue
    const identities = listAt(data, "identities").map((identity) => textAt(identity, "handle"))
    for (const handle of [textAt(data, "email"), textAt(data, "phone"), ...identities]) {
      if (handle !== null) handles.add(plainHandle(handle))
    }
  }
  if (handles.size === 0) return handles
  const release = (value: unknown): void => {
    if (typeof value === "string") handles.delete(plainHandle(value))
    else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) release(part)
  }
  // Other contacts with such a handle: of another workspace, or merged.
  for (const { response } of history.calls) {
    const data = valueAt(response?.body, "data")
    for (const shown of Array.isArray(data) ? data : [data]) {
      if (textAt(shown, "id") !== contactId && textAt(shown, "lifecycle_stage") !== null) release(shown)
    }
  }
  // A request that overlaps the erasure may have come after it.
  for (const { request, responseEntry } of history.requests) if (responseEntry > erased.entry) release(request.body)
  for (const { calls, event } of history.reports.values()) {
    if (event.report.type === "message" && calls.some(({ answerEntry }) => answerEntry > erased.entry))
      release(event.report.from)
  }
  return handles
}

/** What identifies an erased contact. `handles`: its handles that nothing has used since. */
interface Erased {
  readonly contactId: string
  readonly conversationIds: ReadonlySet<string>
  readonly messageIds: ReadonlySet<string>
  readonly handles: ReadonlySet<string>
}

/**
 * The first trace of a contact in a body; null without one. Until the job is done, only the contact and its
 * conversations.
 */
const remainsOf = (
  body: unknown,
  { contactId, conversationIds, handles, messageIds }: Erased,
  isLate: boolean
): string | null => {
  const find = (value: unknown, field: string): string | null => {
    if (typeof value === "string") {
      if (field === "id" && value === contactId) return `the contact ${value}`
      if (field === "id" && conversationIds.has(value)) return `its conversation ${value}`
      if (!isLate) return null
      if (value === contactId || conversationIds.has(value) || messageIds.has(value)) return `its ${field} ${value}`
      return field !== "external_reference" && handles.size > 0 && handles.has(plainHandle(value))
        ? `its ${field} ${value}`
        : null
    }
    if (typeof value !== "object" || value === null) return null
    for (const [name, part] of Object.entries(value)) {
      if (name === "links") continue
      const found = find(part, Array.isArray(value) ? field : name)
      if (found !== null) return found
    }
    return null
  }
  return find(body, "")
}
