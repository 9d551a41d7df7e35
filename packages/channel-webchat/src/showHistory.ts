import { invalid, isUuid, type Message } from "@parley/core"
import { Effect } from "effect"
import { json } from "./answers.js"
import type { Answered, VisitorCall } from "./Call.js"
import { visitorMessages } from "./visitorMessages.js"

const pageLength = 30

/**
 * `GET /messages?before=<message id>`: newest first, as `{ data, meta: { sequence, before } }`. The stream after
 * `sequence` has all later messages. `before` selects the next page, and is null on the last one.
 */
export const showHistory = ({ visitor, request, config, context }: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { before = null } = request.query
    if (before !== null && !isUuid(before)) return yield* invalid({ before: ["must be a UUID"] })
    // Read before the messages: a message sent meanwhile is in both results rather than in neither.
    const sequence = yield* context.latestFed(visitor.handle)
    const messages = yield* context.history(visitor.handle, before, pageLength)
    const view = { context, handle: visitor.handle, showsAgents: config.agentNames }
    return json(200, {
      data: yield* visitorMessages(view, messages.filter(isShown)),
      meta: { sequence, before: messages.length < pageLength ? null : (messages.at(-1)?.id ?? null) }
    })
  })

/** A queued message arrives by the stream later; a failed one never does. */
const isShown = ({ direction, status }: Message): boolean =>
  direction === "inbound" || (status !== "queued" && status !== "failed")
