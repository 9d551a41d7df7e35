import type { EventType, MessageResource } from "@parley/core"
import { webhookBody, webhookEvents } from "../contract/WebhookEvents.js"
import type { Json } from "./Json.js"
import type { JsonSchemas } from "./jsonSchemas.js"
import { exampleAttachment, exampleMessage } from "./publicResources.js"
import { story } from "./story.js"

/** The document's section about webhooks: every event type, with what is posted to endpoints that subscribe to it. */
export const webhookObjects = (
  schemas: JsonSchemas
): {
  readonly tag: Json
  readonly parameters: Json
  readonly objects: { readonly [type: string]: { readonly post: Json } }
} => ({
  tag: { name: "Webhooks", description: tagDescription },
  parameters: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, parameter(name, header)])),
  objects: Object.fromEntries(
    (Object.keys(webhookEvents) as ReadonlyArray<EventType>).map((type) => {
      const event = webhookEvents[type]
      return [
        type,
        {
          post: {
            operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
            tags: ["Webhooks"],
            summary: type,
            description: event.when,
            parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
            requestBody: {
              required: true,
              content: {
                "application/json": { schema: schemas.of(webhookBody(type, event).ast), ...exampleOfBody(type) }
              }
            },
            responses: {
              "2XX": { description: "Done, when it comes within 10 seconds." },
              default: {
                description:
                  "Anything else, a redirect included, is tried again after 1 min, 5 min, 15 min, 1 h, 6 h and 24 h."
              }
            },
            security: []
          }
        }
      ]
    })
  )
})

/** Events of messages show the message as it is then; the other bodies are made of their parts. */
const exampleOfBody = (type: EventType): Json => {
  const message = messages[type]
  if (message === undefined) return {}
  const reference = message.direction === "outbound" ? { external_reference: message.external_reference } : {}
  return { example: { id: story.eventId, type, created_at: story.read, ...reference, data: { message } } }
}

const messages: { readonly [type in EventType]?: typeof MessageResource.Encoded } = {
  "message.received": {
    ...exampleMessage("queued"),
    external_reference: null,
    direction: "inbound",
    type: "text",
    status: "delivered",
    body: "Thank you!",
    attachments: [exampleAttachment],
    received_at: story.read
  },
  "message.queued": exampleMessage("queued"),
  "message.sent": exampleMessage("sent"),
  "message.delivered": exampleMessage("delivered"),
  "message.read": exampleMessage("read"),
  "message.failed": exampleMessage("failed")
}

const tagDescription = [
  "What is posted to the endpoints that an administrator registers for the application. The secret that it is signed with is shown once, when the endpoint is registered.",
  "`X-Webhook-Signature` is `sha256=` and the lower-case hex HMAC-SHA256, with the whole secret as its key, of the value of `X-Webhook-Timestamp`, a dot, and the raw body. Compare in constant time, and reject a timestamp more than 300 seconds away.",
  "Deliveries come in any order, and may come twice: `X-Webhook-ID` tells. Apply states by the times in `data`."
].join("\n\n")

const text = { type: "string" }
const uuid = { type: "string", format: "uuid" }

/** The headers of every delivery (spec, Delivery). */
const headers: {
  readonly [name: string]: { readonly description: string; readonly schema: Json; readonly example: unknown }
} = {
  "User-Agent": { description: "The service.", schema: text, example: "Parley-Webhooks/1.0" },
  "X-Webhook-ID": {
    description: "The event's id, the same on every retry: the key to tell duplicates by.",
    schema: uuid,
    example: story.eventId
  },
  "X-Webhook-Timestamp": {
    description: "When this attempt was signed, in unix seconds.",
    schema: { type: "string", pattern: "^\\d+$" },
    example: "1777883400"
  },
  "X-Webhook-Signature": {
    description: "Proves who sent it; see above.",
    schema: { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
    example: `sha256=${"0123456789abcdef".repeat(4)}`
  },
  "X-Event-ID": {
    description: "The same as `X-Webhook-ID`.",
    schema: uuid,
    example: story.eventId
  },
  "X-Event-Type": { description: "The same as `type` in the body.", schema: text, example: "message.delivered" },
  "X-Event-Timestamp": {
    description: "The same as `X-Webhook-Timestamp`.",
    schema: { type: "string", pattern: "^\\d+$" },
    example: "1777883400"
  },
  "X-Delivery-ID": {
    description: "This attempt.",
    schema: uuid,
    example: story.attemptId
  },
  "X-Delivery-Attempt": {
    description: "Which attempt it is, from 1.",
    schema: { type: "string", pattern: "^[1-9]\\d*$" },
    example: "1"
  }
}

const parameter = (name: string, header: Json): Json => ({ name, in: "header", required: true, ...header })
