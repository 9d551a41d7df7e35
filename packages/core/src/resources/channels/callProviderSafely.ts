import { Cause, Duration, Effect } from "effect"
import { timeoutTo } from "../../kernel/afterRunning.js"
import { ProviderUnavailable, providerTimeouts } from "../../ports/ChannelProvider.js"

/**
 * Makes a call to provider code. Fails with `ProviderUnavailable` if the call throws or exceeds its timeout
 * ({@link providerTimeouts}), so that the job is retried later and does not occupy a worker.
 */
export const callProviderSafely = <A, E>(
  name: keyof typeof providerTimeouts,
  call: () => Effect.Effect<A, E>
): Effect.Effect<A, E | ProviderUnavailable> => {
  const timeoutMs = providerTimeouts[name]
  return Effect.suspend(call).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError(`a provider's ${name} failed unexpectedly`, Cause.die(defect)),
        new ProviderUnavailable({ reason: "the provider failed unexpectedly" })
      )
    ),
    timeoutTo(timeoutMs, new ProviderUnavailable({ reason: `no answer within ${Duration.format(timeoutMs)}` }))
  )
}
