import { type Refusal, refuse } from "@parley/core"
import { Deferred, Duration, Effect } from "effect"

/** How many bytes of bodies may be held at once, of requests that nobody has vouched for yet. */
export interface BodyBudget {
  /**
   * Does something with a body of at most so many bytes, as soon as there is room for them; `service_unavailable` where there
   * is none within {@link patience}. Whoever came first is let in first. One that is larger than all of the room is let in
   * once nothing else is held.
   */
  readonly within: <A, E>(bytes: number, use: Effect.Effect<A, E>) => Effect.Effect<A, E | Refusal>
}

/** Bodies up to this take no room, in bytes: what their connection itself has buffers for is held by any number of clients anyway. */
export const uncounted = 65_536

/** How long a body waits for room: a vendor that is answered sooner brings it again sooner. */
const patience = Duration.seconds(5)

/** A body that waits for room, or has it. */
interface Place {
  readonly bytes: number
  readonly admitted: Deferred.Deferred<void>
  isIn: boolean
}

const admission = ({ admitted }: Place): Effect.Effect<void, Refusal> =>
  Effect.timeoutFail(Deferred.await(admitted), {
    duration: patience,
    onTimeout: () => refuse("service_unavailable", {}, "Too many large requests are under way.")
  })

/** A budget of so many bytes. */
export const makeBodyBudget = (room: number): BodyBudget => {
  const waiting = new Set<Place>()
  let held = 0

  const letIn = () => {
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
      letIn()
      return place
    })
  const leave = (place: Place) =>
    Effect.sync(() => {
      waiting.delete(place)
      if (place.isIn) held -= place.bytes
      letIn()
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
