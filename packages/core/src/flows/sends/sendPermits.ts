import { Cause, Duration, Effect, Exit } from "effect"
import { second } from "../../model/Instant.js"

/** Longest wait for a permit, after which a send returns to the queue, in ms (docs/reference/sends.md#time-limits). */
const maxWait = 10 * second

/** How many sends may wait for each permit: a waiting send takes capacity of its lane. */
const waitersPerPermit = 4

/** Limits how many sends of a connection run at once in this process. */
export interface SendPermits {
  /**
   * Runs `use` with one of the `max` permits of a connection; others wait for one in order of arrival.
   * `waited`: whether it had to wait. Runs `otherwise` if too many wait, or no permit was released in 10 s.
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
  max: number
  taken: number
  /** Sends that wait. A call gives them a permit. */
  readonly waiting: Set<() => void>
}

export const makeSendPermits = (): SendPermits => {
  const byConnection = new Map<string, Permits>()

  const release = (connectionId: string, permits: Permits): void => {
    permits.taken -= 1
    for (const next of permits.waiting) {
      if (permits.taken >= permits.max) break
      permits.waiting.delete(next)
      permits.taken += 1
      next()
    }
    if (permits.taken === 0) byConnection.delete(connectionId)
  }

  /** Whether a permit was given in time. */
  const wait = ({ waiting }: Permits): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      let hasPermit = false
      const given = Effect.async<void>((resume) => {
        const give = () => {
          hasPermit = true
          resume(Effect.void)
        }
        waiting.add(give)
        return Effect.sync(() => waiting.delete(give))
      })
      // The permit may be given at the moment of the timeout.
      return Effect.map(Effect.timeoutOption(given, Duration.millis(maxWait)), () => hasPermit)
    })

  return {
    withPermit: (connectionId, max, use, otherwise) =>
      Effect.suspend(() => {
        const permits = byConnection.get(connectionId) ?? { max: 1, taken: 0, waiting: new Set() }
        byConnection.set(connectionId, permits)
        permits.max = Math.max(1, max)
        const run = (waited: boolean) =>
          Effect.onExit(use(waited), (exit) =>
            // Only a shutdown interrupts sends. Then no waiting send may begin: it would be interrupted too.
            Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
              ? Effect.void
              : Effect.sync(() => release(connectionId, permits))
          )
        if (permits.taken < permits.max) {
          permits.taken += 1
          return run(false)
        }
        if (permits.waiting.size >= waitersPerPermit * permits.max) return otherwise
        return Effect.flatMap(wait(permits), (hasPermit) => (hasPermit ? run(true) : otherwise))
      })
  }
}
