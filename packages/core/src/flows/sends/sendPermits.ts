import { Cause, Duration, Effect, Exit } from "effect"
import { second } from "../../model/Instant.js"

/** Longest wait for a permit, after which a send returns to the queue, in ms (docs/reference/sends.md#time-limits). */
const maxWait = 10 * second

/** How many sends may wait for each permit: a waiting send takes capacity of its lane. */
const waitersPerPermit = 4

/** Limits how many sends of a connection run at once in this process. */
export interface SendPermits {
  /**
   * Runs `use` with a permit of the connection. `max` sends like this one fit into its capacity at once, so each takes
   * one part in `max` of it. The others wait in order of arrival; `waited`: whether this one had to. Runs `otherwise`
   * if too many wait, or no permit was free in 10 s.
   */
  readonly withPermit: <A, E>(
    connectionId: string,
    max: number,
    use: (waited: boolean) => Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/** The permits of one connection. Its capacity is 1. */
interface Permits {
  running: number
  /** Capacity that running sends take. */
  taken: number
  /** The sends that wait, and what each will take. A call gives it a permit. */
  readonly waiting: Map<() => void, number>
}

const take = (permits: Permits, share: number): void => {
  permits.running += 1
  permits.taken += share
}

/** Sums of shares are not exact. */
const fits = ({ taken }: Permits, share: number): boolean => taken + share <= 1 + 1e-9

export const makeSendPermits = (): SendPermits => {
  const byConnection = new Map<string, Permits>()

  /** Gives permits to the sends that wait and fit, in their order. */
  const giveNext = (permits: Permits): void => {
    for (const [next, share] of permits.waiting) {
      if (!fits(permits, share)) break
      permits.waiting.delete(next)
      take(permits, share)
      next()
    }
  }

  const release = (connectionId: string, permits: Permits, share: number): void => {
    permits.running -= 1
    permits.taken = permits.running === 0 ? 0 : permits.taken - share
    giveNext(permits)
    if (permits.running === 0) byConnection.delete(connectionId)
  }

  /** Whether a permit was given in time. */
  const wait = (permits: Permits, share: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      let hasPermit = false
      const given = Effect.async<void>((resume) => {
        const give = () => {
          hasPermit = true
          resume(Effect.void)
        }
        permits.waiting.set(give, share)
        return Effect.sync(() => {
          // Those behind a send that gives up may fit.
          if (permits.waiting.delete(give)) giveNext(permits)
        })
      })
      // The permit may be given at the moment of the timeout.
      return Effect.map(Effect.timeoutOption(given, Duration.millis(maxWait)), () => hasPermit)
    })

  return {
    withPermit: (connectionId, max, use, otherwise) =>
      Effect.suspend(() => {
        const permits = byConnection.get(connectionId) ?? { running: 0, taken: 0, waiting: new Map() }
        byConnection.set(connectionId, permits)
        const share = 1 / Math.max(1, max)
        const run = (waited: boolean) =>
          Effect.onExit(use(waited), (exit) =>
            // Only a shutdown interrupts sends. Then no waiting send may begin: it would be interrupted too.
            Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
              ? Effect.void
              : Effect.sync(() => release(connectionId, permits, share))
          )
        if (permits.waiting.size === 0 && fits(permits, share)) {
          take(permits, share)
          return run(false)
        }
        if (permits.waiting.size >= waitersPerPermit / share) return otherwise
        return Effect.flatMap(wait(permits, share), (hasPermit) => (hasPermit ? run(true) : otherwise))
      })
  }
}
