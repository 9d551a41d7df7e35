import { type EventLoopService, type Refusal, refuse } from "@parley/core"
import { Effect } from "effect"

/** Number of requests of verified clients that start in one turn of the event loop. */
export const startsPerTurn = 64

/** The same for requests of all other clients, in addition to those. */
export const otherStartsPerTurn = 2

/**
 * Maximum number of waiting starts: of one client, whose address may be that of a proxy, and of all clients that are
 * verified, or of all that are not.
 */
export const maxWaiting = { client: 1_000, total: 10_000 }

/** Starts requests a few in each turn of the event loop, taking client addresses in turn. */
export interface FairStarts {
  /**
   * Resumes when work of this client is to start: at once if none waits and this turn has capacity. `share`: how many
   * starts it counts as. Fails with `service_unavailable` if {@link maxWaiting} wait already.
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
  private readonly queues = new Map<string, Set<Waiting>>()
  private waiting = 0
  private started = 0

  constructor(private readonly perTurn: number) {}

  /** Counts a start if none waits and the turn has capacity; else returns false. */
  startAtOnce(share: number): boolean {
    if (this.queues.size > 0 || this.started >= this.perTurn) return false
    this.started += share
    return true
  }

  /** Adds a start that waits. Returns how to remove it; null if too many wait. */
  add(network: string, one: Waiting): (() => void) | null {
    const queue = this.queues.get(network) ?? new Set()
    if (queue.size >= maxWaiting.client || this.waiting >= maxWaiting.total) return null
    this.queues.set(network, queue.add(one))
    this.waiting++
    return () => {
      if (queue.delete(one)) this.waiting--
    }
  }

  /** Begins a turn with what waits. Returns whether anything started. */
  beginTurn(): boolean {
    this.started = 0
    for (const [network, queue] of this.queues) {
      if (this.started >= this.perTurn) return true
      this.queues.delete(network)
      const [next] = queue
      if (next === undefined) continue
      queue.delete(next)
      this.waiting--
      // The iteration comes to it again.
      if (queue.size > 0) this.queues.set(network, queue)
      this.started += next.share
      next.start()
    }
    return this.started > 0
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
  let isTurnDue = false

  const ensureTurn = () => {
    if (isTurnDue) return
    isTurnDue = true
    defer(turn)
  }
  const turn = () => {
    isTurnDue = false
    const started = [verified.beginTurn(), others.beginTurn()]
    if (started.includes(true)) ensureTurn()
  }

  return {
    waitFor: ({ isVerified, network }, share = 1) =>
      Effect.suspend(() => {
        const starts = isVerified ? verified : others
        ensureTurn()
        if (starts.startAtOnce(share)) return Effect.void
        return Effect.async<void, Refusal>((resume) => {
          const remove = starts.add(network, { share, start: () => resume(Effect.void) })
          if (remove === null) return resume(tooManyWait)
          return Effect.sync(remove)
        })
      })
  }
}

const tooManyWait = Effect.fail(refuse("service_unavailable", {}, "Too many requests wait. Try again later."))
