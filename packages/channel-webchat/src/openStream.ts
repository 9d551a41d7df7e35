import { invalid } from "@parley/core"
import { Effect } from "effect"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { feedStream } from "./feedStream.js"

/**
 * `GET /stream`: server-sent events after the position in `Last-Event-ID` or, at first, in the query's `after`. The
 * stream ends after a limited time, so that revoked access takes effect; the widget reconnects.
 */
export const openStream = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { visitor, request, context, limits, refuseExcess, heartbeats, now } = call
    const text = request.headers["last-event-id"] ?? request.query.after ?? "0"
    if (!/^\d{1,15}$/.test(text)) return yield* invalid({ after: ["must be a whole number from 0"] })
    const after = Number(text)
    // A feed shorter than the reader's position is a new one: the visitor's data was erased meanwhile.
    const known = after <= (yield* context.latestFed(visitor.handle))
    const key = visitorKey(call)
    const { address } = request
    const excess = limits.streams.excess(key, address)
    if (excess !== null) return yield* refuseExcess(excess, address, now)
    // The stream counts once it is read, so that an unread one does not count. If many start at once, those above the
    // limit end.
    const start = () => (limits.streams.open(key, address) ? () => limits.streams.close(key, address) : null)
    const endsAt = Math.min(now + maxStreamMs, visitor.expires)
    const { handle } = visitor
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no"
      },
      ...feedStream({ context, handle, after: known ? after : 0, endsAt, heartbeats, start })
    }
  })

const maxStreamMs = 15 * 60_000
