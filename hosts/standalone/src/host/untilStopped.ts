import { Stopping } from "@parley/host-http"
import type { Settings } from "@parley/host-settings"
import { Duration, Effect } from "effect"
import { reportStarted } from "./processes/ofProcess.js"

/**
 * The stop timeout, in ms. After it, the process ends with unfinished work, whose leases expire before other workers
 * take it.
 */
export const stopTimeoutMs = 12_000

/**
 * Waits for a stop signal. After `SIGTERM`, which process managers send, the host first serves on for the shutdown
 * delay while `/readyz` is 503: load balancers would otherwise send requests to a closed port. `SIGINT` stops at once.
 */
export const untilStopped = ({ shutdownDelay }: Pick<Settings, "shutdownDelay">): Effect.Effect<never> =>
  Effect.gen(function* () {
    const stopping = yield* Stopping
    let isTerminated = false
    process.once("SIGTERM", () => {
      isTerminated = true
    })
    const delay = Effect.suspend(() => {
      stopping.current = true
      return isTerminated && shutdownDelay > 0
        ? Effect.zipRight(
            Effect.logInfo(`stopping in ${shutdownDelay} s: not ready any more`),
            Effect.sleep(Duration.seconds(shutdownDelay))
          )
        : Effect.void
    })
    const stop = Effect.zipRight(
      Effect.logInfo("stopping: finishing the work in progress"),
      Effect.sync(() => {
        setTimeout(() => process.exit(), stopTimeoutMs).unref()
      })
    )
    yield* reportStarted
    return yield* Effect.onInterrupt(Effect.never, () => Effect.zipRight(delay, stop))
  })
