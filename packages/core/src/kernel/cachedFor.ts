import { Clock, type Duration, Effect } from "effect"

/**
 * The result of an effect, which runs again when it is older than `ttl`, as `Effect.cachedWithTTL`. A clock that was
 * set back ends the result too: it would stay for as long as the clock was ahead.
 */
export const cachedFor = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  ttl: Duration.DurationInput
): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.cachedInvalidateWithTTL(effect, ttl), ([cached, invalidate]) => {
    let latest = Number.NEGATIVE_INFINITY
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const isSetBack = now < latest
      latest = now
      return isSetBack ? Effect.zipRight(invalidate, cached) : cached
    })
  })
