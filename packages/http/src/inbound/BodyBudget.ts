import { type Refusal, refuse } from "@parley/core"
import { Deferred, Duration, Effect } from "effect"

/** Limits the memory for bodies of requests that are not yet verified. */
export interface BodyBudget {
  /**
   * Runs `use` once `bytes` fit into the budget, first come, first served. A body larger than the whole budget runs
   * alone. Fails with `service_unavailable` after {@link timeout}.
   */
  readonly within: <A, E>(bytes: number, use: Effect.Effect<A, E>) => Effect.Effect<A, E | Refusal>
}

/** In bytes. Bodies up to this size do not count: the socket buffers of each connection need as much in any case. */
export const uncounted = 65_536

/** Maximum wait for budget. A vendor redelivers the earlier, the earlier it gets a response. */
const timeout = Duration.seconds(5)

/** A body that waits for budget or holds some of it. */
interface Place {
  readonly bytes: number
  readonly admitted: Deferred.Deferred<void>
  isIn: boolean
}

const admission = ({ admitted }: Place): Effect.Effect<void, Refusal> =>
  Effect.timeoutFail(Deferred.await(admitted), {
    duration: timeout,
    onTimeout: () => refuse("service_unavailable", {}, "Too many large requests are under way.")
  })

/** Creates a budget of `room` bytes. */
export const makeBodyBudget = (room: number): BodyBudget => {
  const waiting = new Set<Place>()
  let held = 0

  const admitNext = () => {
    for (const place of waiting) {
      if (held > 0 && held + place.bytes > room) return
      waiting.delete(place)
      held += place.bytes
      place.isIn = true
      Deferred.unsafeDone(place.admitted, Effect.void)
    }
  }
  const enter = (bytes: number) =>
    Effect.map(Deferred.make<void>(), (admitted) => {
      const place: Place = { bytes, admitted, isIn: false }
      waiting.add(place)
      admitNext()
      return place
    })
  const leave = (place: Place) =>
    Effect.sync(() => {
      waiting.delete(place)
      if (place.isIn) held -= place.bytes
      admitNext()
    })

  return {
    within: (bytes, use) =>
      bytes <= uncounted
        ? use
        : Effect.acquireUseRelease(
            enter(bytes),
            (place) => (place.isIn ? use : Effect.zipRight(admission(place), use)),
            leave
          )
  }
}
