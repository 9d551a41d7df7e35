import type { ServerResponse } from "node:http"
import { Deferred, Effect, FiberId } from "effect"

/** Tracks whether requests are accepted and which are in progress. */
export interface InFlight {
  readonly accepts: () => boolean
  /** Tracks a response until it is sent or its connection closes. */
  readonly addResponse: (response: ServerResponse) => void
  /** Tracks a response that is a promise. */
  readonly addPromise: <A>(answer: Promise<A>) => Promise<A>
  /** Resumes when {@link stop} is called. */
  readonly stopping: Effect.Effect<void>
  /** Stops accepting requests. Connections with requests in progress close after their response. */
  readonly stop: () => void
  /** Resumes when no request is in progress. */
  readonly ended: Effect.Effect<void>
}

export const makeInFlight = (): InFlight => {
  const responses = new Set<ServerResponse>()
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  let promises = 0
  let accepting = true
  let onEnded = () => {}
  const removed = () => {
    if (responses.size + promises === 0) onEnded()
  }
  const closeAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close")
  }
  return {
    accepts: () => accepting,
    addResponse: (response) => {
      // Closed by its client before it was passed to Parley. It emits no more events.
      if (response.destroyed) return
      if (!accepting) closeAfter(response)
      responses.add(response)
      response.once("close", () => {
        responses.delete(response)
        removed()
      })
    },
    addPromise: async (answer) => {
      promises += 1
      try {
        return await answer
      } finally {
        promises -= 1
        removed()
      }
    },
    stopping: Deferred.await(stopped),
    stop: () => {
      accepting = false
      Deferred.unsafeDone(stopped, Effect.void)
      for (const response of responses) closeAfter(response)
    },
    ended: Effect.async<void>((resume) => {
      onEnded = () => resume(Effect.void)
      removed()
    })
  }
}
