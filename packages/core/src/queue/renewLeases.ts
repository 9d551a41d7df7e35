import { Clock, Duration, Effect } from "effect"
import { logFailure } from "../kernel/logFailure.js"
import type { ReadError, Storage } from "../ports/Storage.js"
import { type HeldLease, keyOfLease, leaseMs, leaseOf, logLoss } from "./HeldLease.js"
import type { RunningJob } from "./SlowSubjects.js"

/** Interval in ms at which the leases of running jobs are renewed (docs/reference/queue.md#renewal). */
export const renewalMs = 5_000

export interface StartedJob extends RunningJob {
  readonly lease: HeldLease
}

/** Renews the leases of the running jobs once, in one statement. */
export const renewAll = (storage: Storage, running: ReadonlyMap<string, StartedJob>): Effect.Effect<void, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const renewed = [...running.values()]
    const leases = renewed.map(({ job }) => leaseOf(job))
    const gone = new Set((yield* storage.renewLeases(leases, now + leaseMs)).map(keyOfLease))
    const answeredAt = yield* Clock.currentTimeMillis
    yield* Effect.forEach(
      renewed,
      ({ job, lease }) => {
        const key = keyOfLease(leaseOf(job))
        if (!running.has(key)) return Effect.void
        const loss = gone.has(key) ? lease.missed(answeredAt) : lease.renewed(now, now + leaseMs)
        return logLoss(loss, job) ?? Effect.void
      },
      { discard: true }
    )
  })

/** Renews the leases of the running jobs while `busy` is open, and closes it once no job runs. */
export const renewLeases = (
  storage: Storage,
  running: ReadonlyMap<string, StartedJob>,
  busy: Effect.Latch
): Effect.Effect<never> => {
  // Synchronous, so that no job can start between the check and the close.
  const closeIfIdle = Effect.sync(() => {
    if (running.size === 0) busy.unsafeClose()
    return running.size === 0
  })
  const renew = Effect.gen(function* () {
    yield* busy.await
    yield* Effect.sleep(Duration.millis(renewalMs))
    if (yield* closeIfIdle) return
    yield* renewAll(storage, running)
  }).pipe(Effect.catchAllCause((cause) => logFailure("leases could not be renewed", cause)))
  return Effect.forever(renew)
}
