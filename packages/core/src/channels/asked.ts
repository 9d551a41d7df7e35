import { Cause, Duration, Effect } from "effect"
import { ProviderUnavailable } from "../ports/ChannelProvider.js"

/**
 * What a provider's own code answers, asked for `what` it does. Where it takes longer than `longest`, or throws, the vendor
 * is unavailable: the work is done again later, and holds no worker meanwhile.
 */
export const asked = <A, E>(
  what: string,
  longest: Duration.Duration,
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
      duration: longest,
      onTimeout: () => new ProviderUnavailable({ reason: `no answer within ${Duration.format(longest)}` })
    })
  )
