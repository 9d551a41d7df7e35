import { Cause, Duration, Effect } from "effect"
import { ProviderUnavailable } from "../../ports/ChannelProvider.js"

/**
 * Calls provider code; `what` names the call in the log. Fails with `ProviderUnavailable` if the call throws or exceeds
 * the timeout, so that the job is retried later and does not occupy a worker.
 */
export const callProviderSafely = <A, E>(
  what: string,
  timeout: Duration.Duration,
  ask: () => Effect.Effect<A, E>
): Effect.Effect<A, E | ProviderUnavailable> =>
  Effect.suspend(ask).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError(`a provider's ${what} failed unexpectedly`, Cause.die(defect)),
        new ProviderUnavailable({ reason: "the provider failed unexpectedly" })
      )
    ),
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () => new ProviderUnavailable({ reason: `no answer within ${Duration.format(timeout)}` })
    })
  )
