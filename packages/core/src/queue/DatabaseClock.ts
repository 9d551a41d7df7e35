import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { second } from "../model/Instant.js"
import { EventLoop } from "../ports/EventLoop.js"
import { Storage, type StorageUnavailable } from "../ports/Storage.js"

/** Maximum difference between this host's clock and the database's, in ms (docs/reference/running.md#clock-skew). */
export const maxClockSkewMs = 2 * second

/** Interval of measurements, in ms. */
const measuringMs = 5 * second

/** Maximum number of queries of the first measurement, of which the last one counts in a slow database. */
const maxFirstQueries = 5

/**
 * What this host knows about the database's clock, by which it tells the time: a host with a wrong clock would take the
 * jobs of others while they run, and give due times that others do not share (docs/reference/queue.md#database-clock).
 */
export class DatabaseClock extends Context.Reference<DatabaseClock>()("@parley/core/DatabaseClock", {
  /** For an engine that tells the time by this host's clock. */
  defaultValue: (): {
    /**
     * False from a step of this host's clock to the next measurement: the machine may have been suspended, which stops
     * the monotonic clock too. Leases are not taken meanwhile.
     */
    readonly isCertain: () => boolean
  } => ({ isCertain: () => true })
}) {}

/**
 * Whether the middle of a measured range is right to {@link maxClockSkewMs}: not if this process or the database was
 * stalled during the query.
 */
const isExact = ({ least, most }: { readonly least: number; readonly most: number }): boolean =>
  most - least <= 2 * maxClockSkewMs

/**
 * Measures the database's clock every 5 s. In between, the monotonic clock of this process counts on. The first
 * measurement is repeated until it is exact enough. Then the time changes only if a measurement proves it wrong, and as
 * little as possible.
 */
const measure = Effect.gen(function* () {
  const storage = yield* Storage
  const host = yield* Effect.clock
  const monotonicMs = (): number => Number(host.unsafeCurrentTimeNanos()) / 1e6
  const hostOffset = (): number => host.unsafeCurrentTimeMillis() - monotonicMs()

  /**
   * The range of the database's time less the monotonic time: it read its clock during the query, exact to 1 ms. The
   * host's offset is that before the query, because a suspension during it makes the range wrong.
   */
  const query = Effect.gen(function* () {
    const sent = monotonicMs()
    const hostOffsetBefore = hostOffset()
    const { clock } = yield* storage.check
    return { least: clock - 1 - monotonicMs(), most: clock + 1 - sent, host: hostOffsetBefore }
  })
  const first = yield* Effect.repeat(query, { until: isExact, times: maxFirstQueries - 1 })
  let offset = (first.least + first.most) / 2
  let measuredHostOffset = first.host
  let agrees = true

  const report = Effect.suspend(() => {
    const skew = Math.round(measuredHostOffset - offset)
    if (agrees === Math.abs(skew) <= maxClockSkewMs) return Effect.void
    agrees = !agrees
    return agrees
      ? Effect.logInfo("this host's clock and the database's agree again")
      : Effect.logError(
          `this host's clock is ${Math.abs(skew)} ms ${skew > 0 ? "ahead of" : "behind"} the database's, which is used: set both by NTP`
        )
  })
  const measureAgain = query.pipe(
    Effect.flatMap(({ host, least, most }) => {
      offset = Math.min(Math.max(offset, least), most)
      measuredHostOffset = host
      return report
    }),
    Effect.catchAllCause((cause) => Effect.logDebug("the database's clock could not be read", cause))
  )
  yield* report
  yield* Effect.forkScoped(Effect.schedule(measureAgain, Schedule.spaced(measuringMs)))

  const now = (): number => Math.floor(monotonicMs() + offset)
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => host.unsafeCurrentTimeNanos(),
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: host.currentTimeNanos,
    sleep: (duration) => host.sleep(duration)
  }
  const isCertain = () => Math.abs(hostOffset() - measuredHostOffset) <= maxClockSkewMs
  return Layer.merge(Layer.setClock(clock), Layer.succeed(DatabaseClock, { isCertain }))
})

/**
 * Replaces Effect's `Clock` by the database's, for a host whose database other hosts use. Fails if the database does
 * not answer the first measurement.
 */
export const measured: Layer.Layer<DatabaseClock, StorageUnavailable, Storage> = Layer.unwrapScoped(measure)

/** How far this host's clock and the database's are apart at least, in ms. */
export const clockSkew: Effect.Effect<number, StorageUnavailable, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const host = yield* EventLoop
  const sent = host.now()
  const { clock } = yield* storage.check
  // The database read its clock between these two times.
  return Math.max(sent - clock, clock - host.now(), 0)
})
