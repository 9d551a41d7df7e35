import { type EventLoopService, type Refusal, refuse } from "@parley/core"
import { Effect } from "effect"

/** Number of requests of verified clients that start in one turn of the event loop. */
export const startsPerTurn = 64

/** The same for requests of all other clients, in addition to those. */
export const otherStartsPerTurn = 2

/** Maximum number of waiting starts: of one client, whose address may be that of a proxy, and in total. */
export const maxWaiting = { client: 1_000, total: 10_000 }

/** Starts requests a few in each turn of the event loop, taking client addresses in turn. */
export interface FairStarts {
  /**
   * Resumes when work of this client is to start: at once if none waits and this turn has capacity. `share`: how many
   * of the {@link startsPerTurn} it counts as. Fails with `service_unavailable` if {@link maxWaiting} wait already.
   */
  readonly waitFor: (client: Client, share?: number) => Effect.Effect<void, Refusal>
}

/** The sender of a request. */
export interface Client {
  readonly network: string
  /** Whether a credential or a signature from this network was valid lately. */
  readonly isVerified: boolean
}

interface Waiting {
  readonly share: number
  readonly start: () => void
}

/** The starts of verified clients, or those of the others. */
class Starts {
  /** Waiting starts by network. One whose work was started moves to the end. */
  readonly queues = new Map<string, Set<Waiting>>()
  started = 0

  constructor(private readonly perTurn: number) {}

  get hasCapacity(): boolean {
    return this.queues.size === 0 && this.started < this.perTurn
  }

  /** Begins a turn with what waits. Returns how many it started. */
  beginTurn(): number {
    this.started = 0
    let taken = 0
    for (const [network, queue] of this.queues) {
      if (this.started >= this.perTurn) return taken
      this.queues.delete(network)
      const [next] = queue
      if (next === undefined) continue
      queue.delete(next)
      taken++
      // The iteration comes to it again.
      if (queue.size > 0) this.queues.set(network, queue)
      this.started += next.share
      next.start()
    }
    return taken
  }
}

/**
 * Without a limit, all requests that have arrived start in one turn of the event loop, which delays every request.
 * Those above the limit wait, and a client with one request is behind at most one of each other client. Clients that
 * are not verified have a small limit of their own: when the rate windows of many begin, they would fill turn after
 * turn (docs/reference/requests.md#fair-starts).
 */
export const makeFairStarts = ({ defer }: Pick<EventLoopService, "defer">): FairStarts => {
  const verified = new Starts(startsPerTurn)
  const others = new Starts(otherStartsPerTurn)
  let waiting = 0
  let isTurnDue = false

  const ensureTurn = () => {
    if (isTurnDue) return
    isTurnDue = true
    defer(turn)
  }
  const turn = () => {
    isTurnDue = false
    waiting -= verified.beginTurn() + others.beginTurn()
    if (verified.started + others.started > 0) ensureTurn()
  }

  return {
    waitFor: ({ isVerified, network }, share = 1) =>
      Effect.suspend(() => {
        const starts = isVerified ? verified : others
        if (starts.hasCapacity) {
          starts.started += share
          ensureTurn()
          return Effect.void
        }
        const queue = starts.queues.get(network) ?? new Set()
        if (queue.size >= maxWaiting.client || waiting >= maxWaiting.total) return tooManyWait
        return Effect.async((resume) => {
          const one: Waiting = { share, start: () => resume(Effect.void) }
          starts.queues.set(network, queue.add(one))
          waiting++
          return Effect.sync(() => {
            if (queue.delete(one)) waiting--
          })
        })
      })
  }
}

const tooManyWait = Effect.fail(refuse("service_unavailable", {}, "Too many requests wait. Try again later."))
