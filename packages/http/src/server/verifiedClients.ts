import { day, type Instant, lruCache } from "@parley/core"
import { Clock, Effect } from "effect"

/** Networks of which a process keeps track. */
const maxTracked = 10_000

/** The client networks from which a valid credential or signature came within a day. */
export interface VerifiedClients {
  readonly add: (network: string) => Effect.Effect<void>
  readonly has: (network: string, now: Instant) => boolean
}

/** Creates the memory of one process. */
export const makeVerifiedClients = (): VerifiedClients => {
  const lastVerified = lruCache<Instant>(maxTracked)
  return {
    add: (network) => Effect.map(Clock.currentTimeMillis, (now) => void lastVerified.set(network, now)),
    has: (network, now) => now - (lastVerified.get(network) ?? Number.NEGATIVE_INFINITY) < day
  }
}
