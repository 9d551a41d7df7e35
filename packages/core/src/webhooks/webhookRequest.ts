import type { Event } from "../events/Event.js"
import type { Instant } from "../Instant.js"
import type { OutboundRequest } from "../ports/HttpSender.js"
import { signature } from "./signature.js"

/** All that an attempt answers in must take (spec, Limits). */
export const timeoutMs = 10_000

/** The body of a webhook (spec, Delivery): `data` is as it was at the event's commit. */
export const webhookBody = (event: Event): string => {
  const head = { id: event.id, type: event.type, created_at: new Date(event.createdAt).toISOString() }
  const reference = event.hasExternalReference ? { external_reference: event.externalReference } : {}
  const open = JSON.stringify({ ...head, ...reference })
  return `${open.slice(0, -1)},"data":${event.data}}`
}

/** One attempt as it goes out: signed anew each time, with the event's id on every one (spec, Delivery). */
export const webhookRequest = (
  event: Event,
  attempt: { readonly id: string; readonly number: number },
  endpoint: { readonly url: string; readonly secret: string },
  serviceName: string,
  now: Instant
): OutboundRequest => {
  const body = webhookBody(event)
  const timestamp = Math.floor(now / 1000)
  const name = `${serviceName[0]?.toUpperCase()}${serviceName.slice(1)}`
  return {
    url: endpoint.url,
    body,
    timeoutMs,
    headers: {
      "content-type": "application/json",
      "user-agent": `${name}-Webhooks/1.0`,
      "x-webhook-id": event.id,
      "x-webhook-timestamp": String(timestamp),
      "x-webhook-signature": signature(endpoint.secret, timestamp, body),
      "x-event-id": event.id,
      "x-event-type": event.type,
      "x-event-timestamp": String(timestamp),
      "x-delivery-id": attempt.id,
      "x-delivery-attempt": String(attempt.number)
    }
  }
}
