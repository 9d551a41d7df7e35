import { clientNetwork, day, type Instant, lruCache } from "@parley/core"
import { Clock, Effect } from "effect"

/** Networks of which a process keeps track. */
const maxTracked = 10_000

/**
 * The client networks from which a valid credential or signature came within a day. Visitors of a web chat do not
 * count, because anyone can be one.
 */
export interface VerifiedClients {
  readonly add: (address: string) => Effect.Effect<void>
  readonly has: (network: string, now: Instant) => boolean
}

/** Creates the memory of one process. */
export const makeVerifiedClients = (): VerifiedClients => {
  const lastVerified = lruCache<Instant>(maxTracked)
  return {
    add: (address) => Effect.map(Clock.currentTimeMillis, (now) => void lastVerified.set(clientNetwork(address), now)),
    has: (network, now) => now - (lastVerified.get(network) ?? Number.NEGATIVE_INFINITY) < day
  }
}
