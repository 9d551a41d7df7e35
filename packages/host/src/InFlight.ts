import { setMaxListeners } from "node:events"
import type { ServerResponse } from "node:http"
import { ParleyError } from "@parley/client"
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
  /** Makes and tracks a call within this process. Rejects at once, without a call, if none is accepted any more. */
  readonly addCall: <A>(call: () => Promise<A>) => Promise<A>
  /** Of clients in this process. Aborted by {@link stopCalls}, so that none of their calls waits for a retry. */
  readonly shutdownSignal: AbortSignal
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
  const shutdown = new AbortController()
  // Each client with a waiting call has a listener.
  setMaxListeners(0, shutdown.signal)
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  let accepting = true
  const closeAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close")
  }
  return {
    accepts: () => accepting,
    acceptsCalls: () => !shutdown.signal.aborted,
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
    addCall: async (call) => {
      if (shutdown.signal.aborted) throw closedError()
      return calls.during(call())
    },
    shutdownSignal: shutdown.signal,
    stopping: Deferred.await(stopped),
    stop: () => {
      accepting = false
      Deferred.unsafeDone(stopped, Effect.void)
      for (const response of responses) closeAfter(response)
    },
    stopCalls: () => shutdown.abort(),
    ended: answers.ended,
    callsEnded: calls.ended
  }
}

/** The error of calls after the close. A retry cannot help: this engine does not come back. */
export const closedError = (): ParleyError =>
  new ParleyError({
    code: "service_unavailable",
    status: 503,
    message: "Parley is closed: parley.close() was called in this process, which accepts no more calls."
  })

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
