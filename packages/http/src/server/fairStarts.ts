import type { EventLoopService } from "@parley/core"
import { Effect } from "effect"

/** How many requests start in one turn of the event loop. */
export const startsPerTurn = 16

/** Starts requests a few in each turn of the event loop, taking client addresses in turn. */
export interface FairStarts {
  /**
   * Resumes when work of this client is to start: at once if none waits and this turn has capacity. `share`: how many
   * of the {@link startsPerTurn} it counts as.
   */
  readonly waitFor: (client: string, share?: number) => Effect.Effect<void>
}

interface Waiting {
  readonly share: number
  readonly start: () => void
}

/**
 * Without a limit, all requests that have arrived start in one turn of the event loop, which delays every request.
 * Those above the limit wait, and a client with one request is behind at most one of each other client
 * (docs/reference/requests.md#fair-starts).
 */
export const makeFairStarts = ({ defer }: Pick<EventLoopService, "defer">): FairStarts => {
  /** A client whose work was started moves to the end. */
  const queues = new Map<string, Set<Waiting>>()
  let started = 0

  const count = (share: number) => {
    if (started === 0) defer(turn)
    started += share
  }
  const turn = () => {
    started = 0
    for (const [client, queue] of queues) {
      if (started >= startsPerTurn) return
      queues.delete(client)
      const [next] = queue
      if (next === undefined) continue
      queue.delete(next)
      // The iteration comes to it again.
      if (queue.size > 0) queues.set(client, queue)
      count(next.share)
      next.start()
    }
  }

  return {
    waitFor: (client, share = 1) =>
      Effect.suspend(() => {
        if (queues.size === 0 && started < startsPerTurn) {
          count(share)
          return Effect.void
        }
        return Effect.async((resume) => {
          const waiting: Waiting = { share, start: () => resume(Effect.void) }
          const queue = queues.get(client) ?? new Set()
          queues.set(client, queue.add(waiting))
          return Effect.sync(() => queue.delete(waiting))
        })
      })
  }
}
