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

/** The function of a subscription that calls a handler, with a timeout in ms. */
export const subscriber =
  <Type extends SubscribedType>(handler: EventHandler<Type>, timeoutMs: number): Subscriber =>
  (body, { deliveryId, number }) =>
    Effect.tryPromise({
      try: async (signal) => handler(JSON.parse(body) as WebhookEventOf<Type>, { deliveryId, attempt: number, signal }),
      catch: failureText
    }).pipe(
      Effect.asVoid,
      Effect.timeoutFail({
        duration: Duration.millis(timeoutMs),
        onTimeout: () => `The handler did not end within ${timeoutMs} ms.`
      })
    )
