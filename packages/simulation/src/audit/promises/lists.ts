import { erasureOfMessage, erasuresOf } from "../erasures.js"
import type { History } from "../History.js"
import { listAt, textAt, valueAt } from "../json.js"
import type { Violation } from "../Violation.js"

/**
 * The list of a conversation's messages is newest first, has each message once, and has all that were accepted before
 * it was read (docs/reference/pagination.md#order-of-lists).
 *
 * Not checked: other lists; lists of more than one page; messages of erased contacts.
 */
export function* lists(history: History): Iterable<Violation> {
  const erasures = erasuresOf(history)
  for (const call of history.calls) {
    const { entry, operation, path, request, response, responseEntry } = call
    if (operation !== "GET /conversations/{}/messages" || call.api !== "public" || response?.status !== 200) continue
    const ids = listAt(response.body, "data").map((message) => textAt(message, "id") ?? "")
    const problems = ids.flatMap((id, index) =>
      index > 0 && id >= (ids[index - 1] ?? "") ? [`has ${id} behind ${ids[index - 1]}`] : []
    )
    const isWhole = valueAt(response.body, "meta", "has_more") === false && !request.path.includes("cursor=")
    for (const message of isWhole ? history.messages.values() : []) {
      const accepted = message.acknowledged.find(
        (send) => send.request.caller === request.caller && send.responseEntry < entry
      )
      if (textAt(accepted?.response?.body, "data", "conversation_id") !== path[1] || ids.includes(message.id)) continue
      if (erasureOfMessage(erasures, message) === null) problems.push(`lacks message ${message.id}`)
    }
    for (const problem of problems) {
      yield {
        promise: "list-is-complete-and-ordered",
        at: response.at,
        text: `${request.path} of ${request.caller} ${problem}.`,
        entries: [entry, responseEntry]
      }
    }
  }
}
