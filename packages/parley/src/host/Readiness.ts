import { Storage } from "@parley/core"
import { Clock, Data, Effect } from "effect"

/** How far this host's clock may be off the database's, in ms (decisions.md §15). */
export const mostClockSkewMs = 2_000

/** How long the database may take to say that it is there, in ms. */
const patienceMs = 5_000

/** This host should not be sent work now; `reason` says why. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly reason: string }> {}

/** Succeeds while the storage is reachable, has the right schema, and shares our idea of the time. */
export const readiness: Effect.Effect<void, NotReady, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const asked = yield* Clock.currentTimeMillis
  const { clock } = yield* storage.check.pipe(
    Effect.mapError(({ cause }) => new NotReady({ reason: words(cause) })),
    Effect.disconnect,
    Effect.timeoutFail({
      duration: patienceMs,
      onTimeout: () => new NotReady({ reason: `the database did not answer within ${patienceMs / 1_000} s` })
    })
  )
  const answered = yield* Clock.currentTimeMillis
  // The database looked at its clock somewhere between the question and the answer.
  const skew = Math.max(asked - clock, clock - answered, 0)
  if (skew > mostClockSkewMs) {
    return yield* new NotReady({ reason: `this host's clock and the database's are ${skew} ms apart` })
  }
})

const words = (cause: unknown): string =>
  cause instanceof Error && cause.name === "SchemaMismatch" ? cause.message : "the database cannot be reached"
