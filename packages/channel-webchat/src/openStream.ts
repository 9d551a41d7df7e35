import { invalid } from "@parley/core"
import { Effect } from "effect"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"

/**
 * `GET /stream`: server-sent events after the position in `Last-Event-ID` or, at first, in the query's `after`. The
 * stream ends after a limited time, so that revoked access takes effect; the widget reconnects.
 */
export const openStream = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { connection, config, visitor, request, context, limits, refuseExcess, streams, now } = call
    const text = request.headers["last-event-id"] ?? request.query.after ?? "0"
    if (!/^\d{1,15}$/.test(text)) return yield* invalid({ after: ["must be a whole number from 0"] })
    const after = Number(text)
    const key = visitorKey(call)
    const { address } = request
    const excess = limits.stream(key, address, now)
    if (excess !== null) return yield* refuseExcess(excess, address, now)
    const length = yield* context.latestFed(visitor.handle)
    const body = yield* streams.body({
      connectionId: connection.id,
      context,
      handle: visitor.handle,
      showsAgents: config.agentNames,
      // A feed shorter than the reader's position is a new one: the visitor's data was erased meanwhile.
      after: after <= length ? after : 0,
      length,
      endsAt: Math.min(now + maxStreamMs, visitor.expires),
      visitor: key,
      address
    })
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no"
      },
      body
    }
  })

const maxStreamMs = 15 * 60_000
