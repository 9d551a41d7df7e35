import type { ServerResponse } from "node:http"
import { Deferred, Effect, FiberId } from "effect"

/**
 * Tracks whether requests are accepted and which are in progress: those of the network, and calls within this process.
 * Calls are accepted for longer, because functions that jobs wait for make them, such as handlers of events.
 */
export interface InFlight {
  /** Whether requests of the network are accepted. */
  readonly accepts: () => boolean
  /** Whether calls within this process are accepted. */
  readonly acceptsCalls: () => boolean
  /** Tracks a response until it is sent or its connection closes. */
  readonly addResponse: (response: ServerResponse) => void
  /** Tracks a response that is a promise. */
  readonly addPromise: <A>(answer: Promise<A>) => Promise<A>
  /** Tracks a call within this process. */
  readonly addCall: <A>(answer: Promise<A>) => Promise<A>
  /** Resumes when {@link stop} is called. */
  readonly stopping: Effect.Effect<void>
  /** Stops accepting requests of the network. Connections with requests in progress close after their response. */
  readonly stop: () => void
  /** Stops accepting calls. */
  readonly stopCalls: () => void
  /** Resumes when no request of the network is in progress. */
  readonly ended: Effect.Effect<void>
  /** Resumes when no call is in progress. */
  readonly callsEnded: Effect.Effect<void>
}

export const makeInFlight = (): InFlight => {
  const responses = new Set<ServerResponse>()
  const answers = makeCount()
  const calls = makeCount()
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  let accepting = true
  let acceptingCalls = true
  const closeAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close")
  }
  return {
    accepts: () => accepting,
    acceptsCalls: () => acceptingCalls,
    addResponse: (response) => {
      // Closed by its client before it was passed to Parley. It emits no more events.
      if (response.destroyed) return
      if (!accepting) closeAfter(response)
      responses.add(response)
      answers.add()
      response.once("close", () => {
        responses.delete(response)
        answers.remove()
      })
    },
    addPromise: answers.during,
    addCall: calls.during,
    stopping: Deferred.await(stopped),
    stop: () => {
      accepting = false
      Deferred.unsafeDone(stopped, Effect.void)
      for (const response of responses) closeAfter(response)
    },
    stopCalls: () => {
      acceptingCalls = false
    },
    ended: answers.ended,
    callsEnded: calls.ended
  }
}

/** A count whose end can be awaited. */
const makeCount = () => {
  let count = 0
  let onEnded = () => {}
  const add = () => {
    count += 1
  }
  const remove = () => {
    count -= 1
    if (count === 0) onEnded()
  }
  return {
    add,
    remove,
    during: async <A>(promise: Promise<A>): Promise<A> => {
      add()
      try {
        return await promise
      } finally {
        remove()
      }
    },
    ended: Effect.async<void>((resume) => {
      onEnded = () => resume(Effect.void)
      if (count === 0) onEnded()
    })
  }
}
