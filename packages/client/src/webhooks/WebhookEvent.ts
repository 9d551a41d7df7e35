import type { webhooks } from "../generated/openapi.js"

/**
 * Event types (docs/reference/events.md#event-types). Newer services may send types that are not listed here: keep a
 * default.
 */
export type WebhookEventType = keyof webhooks

/**
 * Webhook body of these types: `id` is the same on every retry and replay; `data` holds the resource at the time of the
 * event (docs/reference/webhooks.md#delivery-body).
 */
export type WebhookEventOf<Type extends WebhookEventType> = {
  readonly [T in Type]: webhooks[T]["post"]["requestBody"]["content"]["application/json"]
}[Type]

/** Any event, discriminated by `type`. */
export type WebhookEvent = WebhookEventOf<WebhookEventType>
