import { invalid } from "@parley/core"
import { Effect, Stream } from "effect"
import { tooMany } from "./answers.js"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { feedStream } from "./feedStream.js"

/**
 * `GET /stream`: server-sent events from after the place that `Last-Event-ID` or, at first, the query's `after` tells. It
 * ends by itself before long, so that whoever lost the right to it loses the stream too; the widget comes back.
 */
export const openStream = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { visitor, request, door, limits, now } = call
    const text = request.headers["last-event-id"] ?? request.query.after ?? "0"
    if (!/^\d{1,15}$/.test(text)) return yield* invalid({ after: ["must be a whole number from 0"] })
    const after = Number(text)
    // A feed that is shorter than its reader knows is another one: the visitor's data was erased meanwhile.
    const known = after <= (yield* door.latestFed(visitor.handle))
    const key = visitorKey(call)
    if (limits.streams.isFull(key)) return tooMany(secondsUntilAnotherTry)
    // It counts from when it is read, so that one which nobody reads does not; of many that begin at once, what is too many ends.
    const held = Effect.acquireRelease(
      Effect.sync(() => limits.streams.open(key)),
      (isOpen) => Effect.sync(() => isOpen && limits.streams.close(key))
    )
    const feed = feedStream(door, visitor.handle, known ? after : 0)
    const lasts = Math.min(longestStream, visitor.expires - now)
    return {
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no"
      },
      body: Stream.unwrapScoped(
        Effect.map(held, (isOpen) => (isOpen ? Stream.interruptAfter(feed, lasts) : Stream.empty))
      )
    }
  })

const longestStream = 15 * 60_000
const secondsUntilAnotherTry = 30
