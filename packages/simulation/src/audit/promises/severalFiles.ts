import { firstRequestAt } from "../firstRequestAt.js"
import { acknowledgedIds, type Call, type History, isCalm } from "../History.js"
import { listAt, textAt } from "../json.js"
import { clockSkew } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/** Time between the hand-overs of the messages of a send, in ms (docs/reference/content.md#several-files). */
const spacing = 1_000

/** Difference of the clocks of hosts and of the observer without faults, in ms. */
const precision = 100

/**
 * A send whose files do not fit into one message becomes one message for each file, after the text where that does not
 * fit as a caption (docs/reference/content.md#several-files). They have one `group_id`, and each is handed over a
 * second after the one before or later. Text, files and their order: see `handOvers.ts`.
 *
 * Not checked: how much later; connections whose limits the journal does not name.
 */
export function* severalFiles(history: History): Iterable<Violation> {
  for (const call of history.calls) {
    const ids = acknowledgedIds(call)
    if (ids.length === 0) continue
    const expected = expectedMessages(history, call)
    if (
      expected !== null &&
      (new Set(ids).size !== expected || textAt(call.response?.body, "data", "message_id") !== ids[0])
    ) {
      yield broken("files-become-messages", call, `became the messages ${ids.join(", ")}, not ${expected}`)
    }
    if (ids.length < 2) continue
    const groups = new Set(
      ids.flatMap((id) => history.messages.get(id)?.sightings.map(({ message }) => textAt(message, "group_id")) ?? [])
    )
    if (groups.size > 1 || groups.has(null)) {
      yield broken("files-become-messages", call, `became messages with the groups ${[...groups].join(", ")}`)
    }
    yield* spaced(history, call, ids)
  }
}

/** The number of messages that a send becomes; null where the journal does not say the limits of its connection. */
const expectedMessages = ({ connections }: History, { request, response }: Call): number | null => {
  const limits = connections.get(textAt(response?.body, "data", "connection_id") ?? "")?.files
  const files = listAt(request.body, "message", "attachments").length
  const text = textAt(request.body, "message", "body") ?? ""
  if (limits === undefined || files === 0) return files === 0 ? 1 : null
  const isCaption = text.length <= limits.captionLength
  return isCaption && files <= limits.count ? 1 : files + (isCaption ? 0 : 1)
}

function* spaced(history: History, call: Call, ids: ReadonlyArray<string>): Iterable<Violation> {
  const acceptedAt = firstRequestAt(history, call)
  for (const [index, id] of ids.entries()) {
    const first = history.messages.get(id)?.handOvers[0]
    if (first === undefined) continue
    const tolerance = isCalm(history, acceptedAt, first.handOver.at) ? precision : clockSkew
    if (first.handOver.at >= acceptedAt + index * spacing - tolerance) continue
    yield {
      promise: "files-are-spaced",
      at: first.handOver.at,
      text: `Message ${id}, number ${index + 1} of its send, is handed over ${first.handOver.at - acceptedAt} ms after the request.`,
      entries: [call.entry, first.entry]
    }
  }
}

const broken = (promise: string, call: Call, problem: string): Violation => ({
  promise,
  at: call.response?.at ?? call.request.at,
  text: `The send with the key ${call.request.idempotencyKey} of ${call.request.caller} ${problem}.`,
  entries: [call.entry, call.responseEntry]
})
