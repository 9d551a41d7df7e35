import { Schema } from "effect"
import { EventType } from "../../events/Event.js"
import { Timestamp } from "../../Instant.js"
import { DeliveryResource, deliveryResource } from "../../webhooks/DeliveryResource.js"
import { endpointResource } from "../../webhooks/EndpointResource.js"
import type { MessageWebhooks } from "./messageWebhooks.js"
import { Absence } from "./webhookWords.js"

const ToldEndpoint = Schema.Struct({
  endpointId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("endpoint_id")),
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  url: Schema.String,
  status: Schema.Literal("active", "disabled", "deleted"),
  delivery: Schema.NullOr(DeliveryResource),
  absence: Schema.NullOr(Absence),
  explanation: Schema.String
})

const ToldEvent = Schema.Struct({
  eventId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("event_id")),
  eventType: Schema.propertySignature(EventType).pipe(Schema.fromKey("event_type")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  endpoints: Schema.Array(ToldEndpoint)
})

/** What became of a message's webhooks, on the wire. */
export const MessageWebhooksResource = Schema.Struct({
  messageId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("message_id")),
  events: Schema.Array(ToldEvent)
}).annotations({ identifier: "MessageWebhooks" })

export const messageWebhooksResource = ({
  events,
  messageId
}: MessageWebhooks): typeof MessageWebhooksResource.Type => ({
  messageId,
  events: events.map(({ endpoints, event }) => ({
    eventId: event.id,
    eventType: event.type,
    createdAt: event.createdAt,
    endpoints: endpoints.map(({ absence, delivery, endpoint, explanation }) => ({
      endpointId: endpoint.id,
      applicationId: endpoint.applicationId,
      url: endpoint.url,
      status: endpointResource(endpoint).status,
      delivery: delivery === null ? null : deliveryResource(delivery),
      absence,
      explanation
    }))
  }))
})
