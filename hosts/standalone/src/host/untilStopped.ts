import { Effect } from "effect"

/**
 * The stop timeout, in ms. After it, the process ends with unfinished work, whose leases expire before other workers
 * take it.
 */
const timeoutMs = 12_000

/** Waits for a stop signal. */
export const untilStopped: Effect.Effect<never> = Effect.onInterrupt(Effect.never, () =>
  Effect.zipRight(
    Effect.logInfo("stopping: finishing the work in progress"),
    Effect.sync(() => {
      setTimeout(() => process.exit(0), timeoutMs).unref()
    })
  )
)
