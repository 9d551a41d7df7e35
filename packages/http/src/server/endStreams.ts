import { EventLoop, isPushed, type PushWriter } from "@parley/core"
import { Effect, Stream } from "effect"
import type { HttpOutcome } from "./HttpOutcome.js"
import { type Body, isStream } from "./Incoming.js"
import { inTurns } from "./inTurns.js"

/** A writer among those that end when the host stops. A class, because thousands of them are open at once. */
class TrackedWriter implements PushWriter {
  constructor(
    private readonly writers: Set<PushWriter>,
    private readonly writer: PushWriter
  ) {}
  drained(): void {
    this.writer.drained()
  }
  closed(): void {
    this.writers.delete(this)
    this.writer.closed()
  }
  stop(): void {
    if (this.writers.has(this)) this.writer.stop()
  }
}

/**
 * Ends bodies without a known length when the host stops: they could run for any time and delay the stop. Streams with
 * a `Content-Length` are sent to their end. Pushed bodies end a few in each turn of the event loop, because there may
 * be thousands of them.
 */
export const endStreams = (
  stopping: Effect.Effect<void> | undefined
): Effect.Effect<(outcome: HttpOutcome<Body>) => HttpOutcome<Body>> =>
  Effect.flatMap(EventLoop, (loop) => {
    // A fiber that waits for ever would keep the process of an embedding alive.
    if (stopping === undefined) return Effect.succeed((outcome) => outcome)
    const writers = new Set<PushWriter>()
    const stopSoon = inTurns(loop)
    let isStopping = false
    const stopAll = Effect.sync(() => {
      isStopping = true
      for (const writer of writers) stopSoon(() => writer.stop())
    })
    const ending = (outcome: HttpOutcome<Body>): HttpOutcome<Body> => {
      const { body, headers } = outcome
      if (isPushed(body)) {
        const open: typeof body.open = (client) => {
          const writer = new TrackedWriter(writers, body.open(client))
          writers.add(writer)
          if (isStopping) stopSoon(() => writer.stop())
          return writer
        }
        return { ...outcome, body: { ...body, open } }
      }
      return isStream(body) && headers["content-length"] === undefined
        ? { ...outcome, body: Stream.interruptWhen(body, stopping) }
        : outcome
    }
    return Effect.as(Effect.forkDaemon(Effect.zipRight(stopping, stopAll)), ending)
  })
