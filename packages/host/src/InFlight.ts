import type { ServerResponse } from "node:http"
import { ParleyError, realTiming, type Timing } from "@parley/client"
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
  /** Timers of clients in this process. {@link endWaits} ends their pauses. */
  readonly timing: Timing
  /** Resumes when {@link stop} is called. */
  readonly stopping: Effect.Effect<void>
  /** Stops accepting requests of the network. Connections with requests in progress close after their response. */
  readonly stop: () => void
  /** Stops accepting calls. */
  readonly stopCalls: () => void
  /** Ends the pauses of clients before a retry, so that their calls are refused and the process can exit. */
  readonly endWaits: () => void
  /** Resumes when no request of the network is in progress. */
  readonly ended: Effect.Effect<void>
  /** Resumes when no call is in progress. */
  readonly callsEnded: Effect.Effect<void>
}

export const makeInFlight = (): InFlight => {
  const responses = new Set<ServerResponse>()
  const answers = makeCount()
  const calls = makeCount()
  const waits = new Set<() => void>()
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  let accepting = true
  let acceptingCalls = true
  let areWaitsEnded = false
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
    addCall: async (call) => {
      if (!acceptingCalls) throw closedError()
      return calls.during(call())
    },
    timing: {
      ...realTiming,
      afterPause: (ms, run) => {
        const fire = () => {
          cancel()
          run()
        }
        const clear = realTiming.after(areWaitsEnded ? 0 : ms, fire)
        const cancel = () => {
          clear()
          waits.delete(fire)
        }
        waits.add(fire)
        return cancel
      }
    },
    stopping: Deferred.await(stopped),
    stop: () => {
      accepting = false
      Deferred.unsafeDone(stopped, Effect.void)
      for (const response of responses) closeAfter(response)
    },
    stopCalls: () => {
      acceptingCalls = false
    },
    endWaits: () => {
      areWaitsEnded = true
      for (const fire of [...waits]) fire()
    },
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
