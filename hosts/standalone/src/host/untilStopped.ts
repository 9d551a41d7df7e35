import { Effect } from "effect"

/** How long a stop may take before the process ends with work undone, whose leases others then wait for; in ms. */
const patienceMs = 12_000

/** Waits for the signal to stop. */
export const untilStopped: Effect.Effect<never> = Effect.onInterrupt(Effect.never, () =>
  Effect.zipRight(
    Effect.logInfo("stopping: what is in flight is being finished"),
    Effect.sync(() => {
      setTimeout(() => process.exit(0), patienceMs).unref()
    })
  )
)
