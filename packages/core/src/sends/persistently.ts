import { Duration, Effect, Schedule } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { CommitError } from "../ports/Storage.js"

const schedule = Schedule.exponential(Duration.millis(50)).pipe(
  Schedule.union(Schedule.spaced(Duration.seconds(5))),
  Schedule.intersect(Schedule.recurs(200))
)

/**
 * Again and again while the storage is away, for a quarter of an hour: a claim of a send that is not settled counts as a
 * message that may have gone out.
 */
export const persistently = <A, E extends Refusal | CommitError>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.retry(effect, { while: (error) => error._tag !== "Refusal", schedule })
