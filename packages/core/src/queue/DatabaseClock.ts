import { Context, Effect, Layer, Schedule } from "effect"
import { type Instant, second } from "../model/Instant.js"
import { Storage, type StorageUnavailable } from "../ports/Storage.js"

/** Maximum difference between this host's clock and the database's, in ms (docs/reference/running.md#clock-skew). */
export const maxClockSkewMs = 2 * second

/** Interval of measurements, in ms. */
const measuringMs = 5 * second

/** A measurement whose query took longer, in ms, replaces no earlier one: the answer's time is known to half of it. */
const maxQueryMs = second

/**
 * The database's clock, by which leases and due times are compared: a host with a wrong clock would take the jobs of
 * others while they run (docs/reference/queue.md#clock-of-leases).
 */
export class DatabaseClock extends Context.Reference<DatabaseClock>()("@parley/core/DatabaseClock", {
  /** This host's clock, for simulated time. */
  defaultValue: (): {
    /** The database's time less this host's, in ms, without a query; null before the first measurement. */
    readonly skewMs: () => number | null
  } => ({ skewMs: () => 0 })
}) {}

/** Whether a host with this skew may claim jobs. */
export const clocksAgree = (skewMs: number | null): skewMs is number =>
  skewMs !== null && Math.abs(skewMs) <= maxClockSkewMs

/**
 * Measures the database's clock every 5 s. In between, the monotonic clock of this process counts on, so that a step of
 * the host's clock shows at once.
 */
const measure = Effect.gen(function* () {
  const storage = yield* Storage
  const clock = yield* Effect.clock
  let latest: { readonly database: Instant; readonly nanos: bigint } | null = null

  const measureOnce: Effect.Effect<void, StorageUnavailable> = Effect.gen(function* () {
    const started = clock.unsafeCurrentTimeNanos()
    const { clock: database } = yield* storage.check
    const nanos = clock.unsafeCurrentTimeNanos()
    const queryMs = Number(nanos - started) / 1e6
    if (latest === null || queryMs <= maxQueryMs) latest = { database: database + queryMs / 2, nanos }
  })
  const skewMs = (): number | null =>
    latest === null
      ? null
      : Math.round(
          latest.database +
            Number(clock.unsafeCurrentTimeNanos() - latest.nanos) / 1e6 -
            clock.unsafeCurrentTimeMillis()
        )
  const attempt = Effect.catchAll(measureOnce, (error) =>
    Effect.logDebug(`the database's clock could not be read: ${error.message}`)
  )
  yield* attempt
  yield* Effect.forkScoped(Effect.schedule(attempt, Schedule.spaced(measuringMs)))
  return { skewMs }
})

/** The measured clock of the database, for a host whose database other hosts use. */
export const measured: Layer.Layer<DatabaseClock, never, Storage> = Layer.scoped(DatabaseClock, measure)
