import { Effect } from "effect"

/**
 * Repeats the deletion of a batch until it returns false: it found nothing. A generator that called itself would keep
 * the rows of all batches.
 */
export const untilNothingLeft = <E>(deleteBatch: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.asVoid(Effect.repeat(deleteBatch, { while: (found) => found }))
