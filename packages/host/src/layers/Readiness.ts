import { DatabaseClock, Storage } from "@parley/core"
import { Clock, Data, Effect } from "effect"

/** Timeout of the database check, in ms. */
const timeoutMs = 5_000

/** This process should not receive requests now; `reason` says why. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly reason: string }> {}

/** The probe's row in the database: a rate bucket. */
const writeProbe = { bucket: "readiness", limit: 1_000_000, windowMs: 60_000 }

/**
 * Succeeds if the storage is reachable, has the right schema, accepts writes, and its clock agrees with this process'.
 * A standby and a full disk still answer reads.
 */
export const readiness: Effect.Effect<void, NotReady, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const skew = yield* DatabaseClock.clockSkew.pipe(
    Effect.mapError(({ cause }) => new NotReady({ reason: message(cause) })),
    Effect.zipLeft(acceptsWrites(storage)),
    Effect.disconnect,
    Effect.timeoutFail({
      duration: timeoutMs,
      onTimeout: () => new NotReady({ reason: `the database did not answer within ${timeoutMs / 1_000} s` })
    })
  )
  if (skew > DatabaseClock.maxClockSkewMs) {
    return yield* new NotReady({ reason: `this host's clock and the database's are ${skew} ms apart` })
  }
})

const acceptsWrites = (storage: Storage): Effect.Effect<void, NotReady> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => storage.takeToken({ ...writeProbe, now })).pipe(
    Effect.asVoid,
    Effect.catchTags({
      // A queue of writes is load: other hosts would not write faster.
      StorageBusy: () => Effect.void,
      StorageUnavailable: () =>
        new NotReady({ reason: "the database answers reads and refuses writes: it is read-only, or its disk is full" })
    })
  )

const message = (cause: unknown): string =>
  cause instanceof Error && cause.name === "SchemaMismatch" ? cause.message : "the database cannot be reached"
