import {
  AttemptResource,
  DeliveryResource,
  EndpointResource,
  EndpointWithSecretResource,
  ListedDeliveryResource,
  MessageWebhooksResource,
  RecoveredResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const created_at = story.began

const endpoint: typeof EndpointResource.Encoded = {
  id: story.endpointId,
  application_id: story.applicationId,
  url: "https://shop.example.org/hooks/parley",
  events: ["message.delivered", "message.failed"],
  description: null,
  status: "active",
  consecutive_failures: 0,
  created_at
}

const endpointFields = {
  consecutive_failures: "Failed attempts since the last one that succeeded; 25 disable the endpoint."
}

const attempt: typeof AttemptResource.Encoded = {
  id: story.attemptId,
  number: 1,
  started_at: story.delivered,
  duration_ms: 41,
  status: 200,
  error: null,
  answer: "ok"
}

const delivery: typeof ListedDeliveryResource.Encoded = {
  id: story.deliveryId,
  application_id: story.applicationId,
  endpoint_id: story.endpointId,
  event_id: story.eventId,
  event_type: "message.delivered",
  status: "delivered",
  attempt_count: 1,
  created_at: story.delivered,
  completed_at: story.delivered,
  next_attempt_at: null,
  waiting_for: null
}

const deliveryFields = {
  event_type: "Null once the event is no longer kept.",
  next_attempt_at: "When it is tried next; null where nothing is planned.",
  waiting_for: "What has to happen before it is tried again; null where it waits for nothing but its time."
}

/** The resources of webhooks. */
export const webhookEntries: Entries = {
  WebhookEndpoint: entry(EndpointResource, {
    description: "Where an application is told of events.",
    example: endpoint,
    fields: endpointFields
  }),
  WebhookEndpointWithSecret: entry(EndpointWithSecretResource, {
    description: "A webhook endpoint with its signing secret, this once.",
    example: { ...endpoint, secret: story.endpointSecret },
    fields: endpointFields
  }),
  ListedWebhookDelivery: entry(ListedDeliveryResource, {
    description: "A delivery as lists have it: without its attempts.",
    example: delivery,
    fields: deliveryFields
  }),
  WebhookDelivery: entry(DeliveryResource, {
    description: "The duty to tell one endpoint of one event, with every attempt that is still kept.",
    example: { ...delivery, attempts: [attempt] },
    fields: deliveryFields
  }),
  Recovered: entry(RecoveredResource, {
    description: "What a recover did.",
    example: { deliveries: 12, reached: story.began, cursor: null },
    fields: {
      deliveries: "How many deliveries go out.",
      reached: "How far back it looked: no further than deliveries are kept, however long ago was asked for.",
      cursor: "Where to go on, in the next call; null where it looked at all."
    }
  }),
  MessageWebhooks: entry(MessageWebhooksResource, {
    description: "What became of each event of a message at every endpoint of the workspace.",
    example: {
      message_id: story.messageId,
      events: [
        {
          event_id: story.eventId,
          event_type: "message.delivered",
          created_at: story.delivered,
          endpoints: [
            {
              endpoint_id: story.endpointId,
              application_id: story.applicationId,
              url: endpoint.url,
              status: "active",
              delivery: { ...delivery, attempts: [attempt] },
              absence: null,
              explanation: `delivered at ${story.delivered} (attempt 1)`
            }
          ]
        }
      ]
    },
    fields: {
      events: "Those that are kept, the first one first.",
      "events.endpoints.delivery": "Null where there is none.",
      "events.endpoints.absence": "Why there is no delivery, as things are now; null where there is one.",
      "events.endpoints.explanation": "What became of it, for a person."
    }
  }),
  WebhookAttempt: entry(AttemptResource, {
    description: "An attempt at a delivery.",
    example: attempt,
    fields: {
      status: "Null where there was no answer.",
      error: "Why there was none.",
      answer: "The answer's beginning."
    }
  })
}
