import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, endpointApplicationId, field, ids, part, wire } from "../../kernel/input/wire.js"
import { applicationOf } from "../../model/Endpoint.js"
import { EventType } from "../../model/Event.js"
import { Timestamp } from "../../model/Instant.js"
import { DeliveryResource, deliveryResource } from "./DeliveryResource.js"
import { endpointResource } from "./EndpointResource.js"
import type { MessageWebhooks } from "./messageWebhooks.js"
import { Absence } from "./webhookTexts.js"

const EndpointDeliveryStatusResource = part({
  endpointId: wire("endpoint_id", ids.endpoint),
  applicationId: endpointApplicationId,
  url: field(Schema.String, { examples: ["https://shop.example.org/hooks/parley"] }),
  status: Schema.Literal("active", "disabled", "deleted"),
  delivery: field(Schema.NullOr(DeliveryResource), { description: "Null without a delivery." }),
  absence: field(Schema.NullOr(Absence), {
    description: "Why there is no delivery, as of now; null with a delivery."
  }),
  explanation: field(Schema.String, {
    description: "The state of the delivery, for people; its wording may change.",
    examples: [`delivered at ${samples.delivered} (attempt 1)`]
  })
})

const EventDeliveryStatusResource = part({
  eventId: wire("event_id", ids.event),
  eventType: wire("event_type", EventType, { examples: ["message.delivered"] }),
  createdAt: wire("created_at", Timestamp, { examples: [Date.parse(samples.delivered)] }),
  endpoints: Schema.Array(EndpointDeliveryStatusResource)
})

/** The webhooks of a message, on the wire. */
export const MessageWebhooksResource = component(
  "MessageWebhooks",
  "The deliveries of each event of a message to every endpoint of the workspace.",
  {
    messageId: wire("message_id", ids.message),
    events: field(Schema.Array(EventDeliveryStatusResource), { description: "Events within retention, oldest first." })
  }
)

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
      applicationId: applicationOf(endpoint),
      url: endpoint.url,
      status: endpointResource(endpoint).status,
      delivery: delivery === null ? null : deliveryResource(delivery),
      absence,
      explanation
    }))
  }))
})
