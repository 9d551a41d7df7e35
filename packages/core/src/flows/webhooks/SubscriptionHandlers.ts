import { Context, Effect } from "effect"

/** One attempt at a subscription. */
export interface SubscriptionAttempt {
  readonly deliveryId: string
  /** 1-based. */
  readonly number: number
}

/**
 * Handles an event of a subscription. `body` is the JSON text of a webhook (docs/reference/webhooks.md#delivery-body).
 * Fails with the text that describes the failure; with null if this process stops, and another one is to handle the
 * event: that is no attempt.
 */
export type Subscriber = (body: string, attempt: SubscriptionAttempt) => Effect.Effect<void, string | null>

/** The functions of this process that handle the events of subscriptions, by the id of the endpoint. */
export type SubscriptionHandlers = Map<string, Subscriber>
export const SubscriptionHandlers = Context.GenericTag<SubscriptionHandlers>("@parley/core/Subscribers")

export const make = Effect.sync((): SubscriptionHandlers => new Map())
