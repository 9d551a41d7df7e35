import type { Event } from "../../model/Event.js"
import { type Instant, timestamp } from "../../model/Instant.js"
import type { OutboundRequest } from "../../ports/HttpSender.js"
import { signedPost } from "./signedPost.js"

/**
 * The body of a webhook (docs/reference/webhooks.md#delivery-body). `data` is the state at the commit of the event.
 * `namesApplication`: whether it says which application the event belongs to, for a subscription of the workspace.
 */
export const webhookBody = (event: Event, namesApplication = false): string => {
  const head = {
    id: event.id,
    type: event.type,
    created_at: timestamp(event.createdAt),
    ...(namesApplication ? { application_id: event.applicationId } : {})
  }
  const reference = event.hasExternalReference ? { external_reference: event.externalReference } : {}
  const open = JSON.stringify({ ...head, ...reference })
  return `${open.slice(0, -1)},"data":${event.data}}`
}

/** One signed attempt. The event id is the same on all attempts (docs/reference/webhooks.md#delivery-headers). */
export const webhookRequest = (
  event: Event,
  attempt: { readonly id: string; readonly number: number },
  endpoint: { readonly url: string; readonly secret: string },
  serviceName: string,
  now: Instant
): OutboundRequest => {
  const post = signedPost(
    { ...endpoint, id: event.id, body: webhookBody(event), number: attempt.number },
    serviceName,
    now
  )
  return {
    ...post,
    headers: {
      ...post.headers,
      "x-event-id": event.id,
      "x-event-type": event.type,
      "x-event-timestamp": String(Math.floor(now / 1000)),
      "x-delivery-id": attempt.id
    }
  }
}
