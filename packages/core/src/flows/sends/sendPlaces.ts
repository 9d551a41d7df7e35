import { Cause, Duration, Effect, Exit } from "effect"
import { second } from "../../model/Instant.js"

/** Longest wait for a place, after which a send returns to the queue, in ms (docs/reference/sends.md#time-limits). */
const maxWait = 10 * second

/** How many sends may wait for each place: a waiting send holds a place of its lane. */
const waitersOfPlace = 4

/** Limits how many sends of a connection run at once in this process. */
export interface SendPlaces {
  /**
   * Runs `use` in one of the `max` places of a connection; sends that find none free get one in order of arrival.
   * `waited`: whether it had to wait. Runs `otherwise` if too many wait, or no place became free in 10 s.
   */
  readonly within: <A, E>(
    connectionId: string,
    max: number,
    use: (waited: boolean) => Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/** The places of one connection. */
interface Places {
  max: number
  taken: number
  /** Sends that wait. A call gives them a place. */
  readonly waiting: Set<() => void>
}

export const makeSendPlaces = (): SendPlaces => {
  const byConnection = new Map<string, Places>()

  const release = (connectionId: string, places: Places): void => {
    places.taken -= 1
    for (const next of places.waiting) {
      if (places.taken >= places.max) break
      places.waiting.delete(next)
      places.taken += 1
      next()
    }
    if (places.taken === 0) byConnection.delete(connectionId)
  }

  /** Whether a place was given in time. */
  const wait = ({ waiting }: Places): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      let hasPlace = false
      const given = Effect.async<void>((resume) => {
        const give = () => {
          hasPlace = true
          resume(Effect.void)
        }
        waiting.add(give)
        return Effect.sync(() => waiting.delete(give))
      })
      // The place may be given at the moment of the timeout.
      return Effect.map(Effect.timeoutOption(given, Duration.millis(maxWait)), () => hasPlace)
    })

  return {
    within: (connectionId, max, use, otherwise) =>
      Effect.suspend(() => {
        const places = byConnection.get(connectionId) ?? { max: 1, taken: 0, waiting: new Set() }
        byConnection.set(connectionId, places)
        places.max = Math.max(1, max)
        const run = (waited: boolean) =>
          Effect.onExit(use(waited), (exit) =>
            // Only a shutdown interrupts sends. Then no waiting send may begin: it would be interrupted too.
            Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
              ? Effect.void
              : Effect.sync(() => release(connectionId, places))
          )
        if (places.taken < places.max) {
          places.taken += 1
          return run(false)
        }
        if (places.waiting.size >= waitersOfPlace * places.max) return otherwise
        return Effect.flatMap(wait(places), (hasPlace) => (hasPlace ? run(true) : otherwise))
      })
  }
}
