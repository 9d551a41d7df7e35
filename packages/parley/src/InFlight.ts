import type { ServerResponse } from "node:http"
import { Deferred, Effect, FiberId } from "effect"

/** Whether requests are taken, and which are being answered. */
export interface InFlight {
  readonly accepts: () => boolean
  /** Counts a response until its connection has it, or is gone. */
  readonly addResponse: (response: ServerResponse) => void
  /** Counts an answer that is promised. */
  readonly addPromise: <A>(answer: Promise<A>) => Promise<A>
  /** Resumes once no more requests are taken. */
  readonly stopping: Effect.Effect<void>
  /** Takes no more requests from now on, and closes the connections of those that are being answered after their answer. */
  readonly stop: () => void
  /** Resumes once nothing is being answered. */
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
