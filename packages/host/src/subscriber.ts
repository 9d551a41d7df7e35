import type { WebhookEventOf } from "@parley/client"
import type { Subscriber } from "@parley/core"
import { Duration, Effect } from "effect"
import type { EventHandler, SubscribedType } from "./Subscription.js"

/** Maximum length of the text that describes a failure, in characters. */
const maxText = 500

/** The failure of a handler, for people. */
const failureText = (error: unknown): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`
  return text.slice(0, maxText)
}

/**
 * How long a handler may run without giving way before a warning, in ms. Leases of jobs are renewed every few seconds.
 */
const maxBlockingMs = 1_000

/** The function of the subscription `name` that calls a handler, with a timeout in ms. */
export const subscriber =
  <Type extends SubscribedType>(name: string, handler: EventHandler<Type>, timeoutMs: number): Subscriber =>
  (body, { deliveryId, number }) =>
    Effect.gen(function* () {
      const event = JSON.parse(body) as WebhookEventOf<Type>
      const began = performance.now()
      let blockedMs = 0
      const handled = Effect.tryPromise({
        try: async (signal) => {
          try {
            return handler(event, { deliveryId, attempt: number, signal })
          } finally {
            blockedMs = performance.now() - began
          }
        },
        catch: failureText
      })
      yield* Effect.timeoutFail(handled, {
        duration: Duration.millis(timeoutMs),
        onTimeout: () => `The handler did not end within ${timeoutMs} ms.`
      }).pipe(
        Effect.ensuring(
          Effect.suspend(() =>
            blockedMs < maxBlockingMs
              ? Effect.void
              : Effect.logWarning(
                  `The handler of the subscription ${name} blocked this process for ${Math.round(blockedMs)} ms. Let it wait for promises, or use a worker thread.`
                )
          )
        )
      )
    })
