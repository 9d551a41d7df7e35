import { invalid, isUuid, type Message } from "@parley/core"
import { Effect } from "effect"
import { json } from "./answers.js"
import type { Answered, VisitorCall } from "./Call.js"
import { visitorMessageOf } from "./visitorMessageOf.js"

const pageLength = 30

/**
 * `GET /messages?before=<message id>`: newest first, as `{ data, meta: { sequence, before } }`. Whoever goes on at `sequence`
 * in the stream misses nothing that is not here; `before` finds the next page, and is null where there is none.
 */
export const showHistory = ({ visitor, request, door }: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { before = null } = request.query
    if (before !== null && !isUuid(before)) return yield* invalid({ before: ["must be a UUID"] })
    // First, so that what is sent in between is in both places rather than in none.
    const sequence = yield* door.latestFed(visitor.handle)
    const messages = yield* door.history(visitor.handle, before, pageLength)
    return json(200, {
      data: messages.filter(isShown).map((message) => visitorMessageOf(visitor.handle, message)),
      meta: { sequence, before: messages.length < pageLength ? null : (messages.at(-1)?.id ?? null) }
    })
  })

/** What is on its way comes by the stream; what failed never came. */
const isShown = ({ direction, status }: Message): boolean =>
  direction === "inbound" || (status !== "queued" && status !== "failed")
