import type { Call, History } from "../History.js"
import { textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"

/** Reads of contacts and conversations, which a merge changes in its commit. */
const reads = new Set(["GET /contacts", "GET /contacts/{}", "GET /conversations", "GET /conversations/{}"])

/**
 * From the answer to a merge on, the other contact does not exist, and its conversations belong to the remaining one
 * (docs/reference/contacts.md#merging).
 *
 * Not checked: messages, events, leads and tasks, of which jobs move a part later; the values of the remaining contact.
 */
export function* merges(history: History): Iterable<Violation> {
  for (const call of history.calls) {
    const { operation, request, response, responseEntry } = call
    const merged = operation === "POST /contacts/{}/merge" ? textAt(request.body, "contact_id") : null
    if (merged === null || response?.status !== 200) continue
    for (const later of history.calls) {
      if (later.entry < responseEntry || later.response?.status !== 200 || !reads.has(later.operation)) continue
      const remains = remainsOf(later, merged)
      if (remains === null) continue
      yield {
        promise: "merged-contact-is-gone",
        at: later.response.at,
        text: `After contact ${merged} was merged into ${call.path[1]}, ${later.request.path} has ${remains}.`,
        entries: [responseEntry, later.responseEntry]
      }
    }
  }
}

const remainsOf = ({ response }: Call, merged: string): string | null => {
  const data = valueAt(response?.body, "data")
  for (const shown of Array.isArray(data) ? data : [data]) {
    const id = textAt(shown, "id")
    if (id === merged) return "this contact"
    if (textAt(shown, "contact_id") === merged) return `conversation ${id} as one of this contact`
  }
  return null
}
