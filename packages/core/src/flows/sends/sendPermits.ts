import { Cause, Duration, Effect, Exit } from "effect"
import { second } from "../../model/Instant.js"

/** Longest wait for a permit, after which a send returns to the queue, in ms (docs/reference/sends.md#time-limits). */
const maxWait = 10 * second

/** How many sends may wait for each permit: a waiting send takes capacity of its lane. */
const waitersPerPermit = 4

/** Limits how many sends of a connection run at once in this process. */
export interface SendPermits {
  /**
   * Runs `use` if at most `max` sends of the connection run with it; others wait in order of arrival, also for those
   * that wait with another `max`. `waited`: whether it had to wait. Runs `otherwise` if too many wait, or its turn did
   * not come in 10 s.
   */
  readonly withPermit: <A, E>(
    connectionId: string,
    max: number,
    use: (waited: boolean) => Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/** The permits of one connection. */
interface Permits {
  taken: number
  /** Sends that wait, and at most how many may run with each. A call gives it a permit. */
  readonly waiting: Map<() => void, number>
}

export const makeSendPermits = (): SendPermits => {
  const byConnection = new Map<string, Permits>()

  const release = (connectionId: string, permits: Permits): void => {
    permits.taken -= 1
    for (const [next, max] of permits.waiting) {
      if (permits.taken >= max) break
      permits.waiting.delete(next)
      permits.taken += 1
      next()
    }
    if (permits.taken === 0) byConnection.delete(connectionId)
  }

  /** Whether a permit was given in time. */
  const wait = ({ waiting }: Permits, max: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      let hasPermit = false
      const given = Effect.async<void>((resume) => {
        const give = () => {
          hasPermit = true
          resume(Effect.void)
        }
        waiting.set(give, max)
        return Effect.sync(() => waiting.delete(give))
      })
      // The permit may be given at the moment of the timeout.
      return Effect.map(Effect.timeoutOption(given, Duration.millis(maxWait)), () => hasPermit)
    })

  return {
    withPermit: (connectionId, wanted, use, otherwise) =>
      Effect.suspend(() => {
        const permits = byConnection.get(connectionId) ?? { taken: 0, waiting: new Map() }
        byConnection.set(connectionId, permits)
        const max = Math.max(1, wanted)
        const run = (waited: boolean) =>
          Effect.onExit(use(waited), (exit) =>
            // Only a shutdown interrupts sends. Then no waiting send may begin: it would be interrupted too.
            Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
              ? Effect.void
              : Effect.sync(() => release(connectionId, permits))
          )
        if (permits.taken < max && permits.waiting.size === 0) {
          permits.taken += 1
          return run(false)
        }
        if (permits.waiting.size >= waitersPerPermit * max) return otherwise
        return Effect.flatMap(wait(permits, max), (hasPermit) => (hasPermit ? run(true) : otherwise))
      })
  }
}
