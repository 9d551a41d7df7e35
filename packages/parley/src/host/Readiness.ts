import { DatabaseClock, Storage } from "@parley/core"
import { Clock, Data, Effect } from "effect"

/** Timeout of the database check, in ms. */
const timeoutMs = 5_000

/** This process should not receive requests now; `reason` says why. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly reason: string }> {}

/** Succeeds if the storage is reachable, has the right schema and its clock agrees with this process'. */
export const readiness: Effect.Effect<void, NotReady, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const startedAt = yield* Clock.currentTimeMillis
  const { clock } = yield* storage.check.pipe(
    Effect.mapError(({ cause }) => new NotReady({ reason: message(cause) })),
    Effect.disconnect,
    Effect.timeoutFail({
      duration: timeoutMs,
      onTimeout: () => new NotReady({ reason: `the database did not answer within ${timeoutMs / 1_000} s` })
    })
  )
  const answered = yield* Clock.currentTimeMillis
  // The database read its clock between these two times.
  const skew = Math.max(startedAt - clock, clock - answered, 0)
  if (skew > DatabaseClock.maxClockSkewMs) {
    return yield* new NotReady({ reason: `this host's clock and the database's are ${skew} ms apart` })
  }
})

const message = (cause: unknown): string =>
  cause instanceof Error && cause.name === "SchemaMismatch" ? cause.message : "the database cannot be reached"
