import { Duration, Effect, Schedule } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { CommitError } from "../../ports/Storage.js"

const schedule = Schedule.exponential(Duration.millis(50)).pipe(
  Schedule.union(Schedule.spaced(Duration.seconds(5))),
  Schedule.intersect(Schedule.recurs(200))
)

/**
 * Retries storage errors for about 15 min. An unsettled claim of a send counts as a message that may have been sent, so
 * its outcome must be recorded. Refusals are not retried.
 */
export const retryWhileUnavailable = <A, E extends Refusal | CommitError>(
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> => Effect.retry(effect, { while: (error) => error._tag !== "Refusal", schedule })
