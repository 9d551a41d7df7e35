import { type EventLoopService, type Refusal, refuse } from "@parley/core"
import { Effect } from "effect"

/** Number of requests that start in one turn of the event loop. */
export const startsPerTurn = 64

/** Maximum number of waiting starts: of one client, whose address may be that of a proxy, and in total. */
export const maxWaiting = { client: 1_000, total: 10_000 }

/** Starts requests a few in each turn of the event loop, taking client addresses in turn. */
export interface FairStarts {
  /**
   * Resumes when work of this client is to start: at once if none waits and this turn has capacity. `share`: how many
   * of the {@link startsPerTurn} it counts as. Fails with `service_unavailable` if {@link maxWaiting} wait already.
   */
  readonly waitFor: (client: string, share?: number) => Effect.Effect<void, Refusal>
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
  let waiting = 0
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
      waiting--
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
        const queue = queues.get(client) ?? new Set()
        if (queue.size >= maxWaiting.client || waiting >= maxWaiting.total) return tooManyWait
        return Effect.async((resume) => {
          const one: Waiting = { share, start: () => resume(Effect.void) }
          queues.set(client, queue.add(one))
          waiting++
          return Effect.sync(() => {
            if (queue.delete(one)) waiting--
          })
        })
      })
  }
}

const tooManyWait = Effect.fail(refuse("service_unavailable", {}, "Too many requests wait. Try again later."))
