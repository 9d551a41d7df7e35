import type { webhooks } from "../generated/openapi.js"

/** The types of events (spec, Event types). A newer service may send types that are not listed here: keep a default. */
export type WebhookEventType = keyof webhooks

/**
 * What a webhook of these types carries: its `id`, the same on every retry and replay, and the resource in `data` as it was
 * when it happened (spec, Delivery).
 */
export type WebhookEventOf<Type extends WebhookEventType> = {
  readonly [T in Type]: webhooks[T]["post"]["requestBody"]["content"]["application/json"]
}[Type]

/** What happened, told apart by `type`. */
export type WebhookEvent = WebhookEventOf<WebhookEventType>
