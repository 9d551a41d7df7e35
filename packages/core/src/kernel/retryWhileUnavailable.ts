import { Duration, Effect } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { CommitError } from "../ports/Storage.js"

/** Delays in ms before the retries: doubling up to the longest. */
const [firstDelayMs, maxDelayMs, maxRetries] = [50, 5_000, 200]

/**
 * Retries storage errors for about 15 min: for the result of an external call, since a call without a result would be
 * repeated. Refusals and rejected changes are not retried: they would be the same again.
 */
export const retryWhileUnavailable = <A, E extends Refusal | CommitError>(
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> => {
  // Without a schedule, an effect that succeeds costs one operation.
  const attempt = (retries: number): Effect.Effect<A, E> =>
    Effect.catchAll(effect, (error) =>
      error._tag === "ChangesRejected" || error._tag === "Refusal" || retries === maxRetries
        ? Effect.fail(error)
        : Effect.delay(
            Effect.suspend(() => attempt(retries + 1)),
            Duration.millis(Math.min(firstDelayMs * 2 ** retries, maxDelayMs))
          )
    )
  return attempt(0)
}
