import { Cause, Duration, Effect } from "effect"
import { timeoutTo } from "../../kernel/afterRunning.js"
import { ProviderUnavailable, providerTimeouts } from "../../ports/ChannelProvider.js"
import { asEffect } from "./asEffect.js"

/**
 * Makes a call to provider code. Fails with `ProviderUnavailable` if the call throws or exceeds its timeout
 * ({@link providerTimeouts}), so that the job is retried later and does not occupy a worker.
 */
export const callProviderSafely = <A, E>(
  name: keyof typeof providerTimeouts,
  call: () => Effect.Effect<A, E>
): Effect.Effect<A, E | ProviderUnavailable> =>
  withinTimeout(
    name,
    Effect.suspend(() => asEffect(name, call()))
  )

/** {@link callProviderSafely} for a call together with the use of its result, such as a file that is still read. */
export const withinTimeout = <A, E>(
  name: keyof typeof providerTimeouts,
  called: Effect.Effect<A, E>
): Effect.Effect<A, E | ProviderUnavailable> => {
  const timeoutMs = providerTimeouts[name]
  return called.pipe(
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError(`a provider's ${name} failed unexpectedly`, Cause.die(defect)),
        new ProviderUnavailable({ reason: "the provider failed unexpectedly" })
      )
    ),
    timeoutTo(timeoutMs, new ProviderUnavailable({ reason: `no answer within ${Duration.format(timeoutMs)}` }))
  )
}
