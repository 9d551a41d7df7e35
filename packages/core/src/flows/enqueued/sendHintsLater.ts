import { Effect, Queue, type Scope } from "effect"

/** How long after a row was written its hints are sent, in ms, and at most twice as long. */
export const hintDelaysMs: ReadonlyArray<number> = [25, 250]

/**
 * Sends hints in the background for rows of a caller's transaction, which commits at a time that the engine does not
 * know: most end within the first delay, and later ones wait for the next poll. A notification in the transaction
 * itself would let only one of them commit at a time (docs/reference/enqueue.md#when-a-worker-finds-it). The result is
 * to be run when a row is written. Rows of one delay share a hint.
 */
export const sendHintsLater = (hint: Effect.Effect<void>): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(
    Effect.forEach(hintDelaysMs, (delay) =>
      Effect.gen(function* () {
        const rows = yield* Queue.sliding<void>(1)
        // A row that is written during the wait gets the hint of the next wait.
        yield* Effect.forkScoped(
          Effect.forever(Queue.take(rows).pipe(Effect.zipRight(Effect.sleep(delay)), Effect.zipRight(hint)))
        )
        return rows
      })
    ),
    (delays) =>
      Effect.sync(() => {
        for (const rows of delays) Queue.unsafeOffer(rows, undefined)
      })
  )
