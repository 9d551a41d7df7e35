import { Context, type Effect, Layer } from "effect"

/** One attempt at a subscription. */
export interface SubscriptionAttempt {
  readonly deliveryId: string
  /** 1-based. */
  readonly number: number
}

/**
 * Handles an event of a subscription. `body` is the JSON text of a webhook (docs/reference/webhooks.md#delivery-body).
 * Fails with the text that describes the failure.
 */
export type Subscriber = (body: string, attempt: SubscriptionAttempt) => Effect.Effect<void, string>

/** The functions of this process that handle the events of subscriptions, by the id of the endpoint. */
export class Subscribers extends Context.Tag("@parley/core/Subscribers")<Subscribers, Map<string, Subscriber>>() {}

export const layer: Layer.Layer<Subscribers> = Layer.sync(Subscribers, () => new Map())
