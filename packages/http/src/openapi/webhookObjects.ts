import { type EventType, type MessageResource, sampleIds, samples } from "@parley/core"
import { webhookBody, webhookEvents } from "../contract/WebhookEvents.js"
import { exampleOf } from "./exampleOf.js"
import type { Json } from "./Json.js"
import type { JsonSchemas } from "./jsonSchemas.js"

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
                "application/json": {
                  schema: schemas.of(webhookBody(type, event).ast),
                  ...messageExample(type, schemas)
                }
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
const messageExample = (type: EventType, schemas: JsonSchemas): Json => {
  const changes = messages[type]
  if (changes === undefined) return {}
  const partOf = (name: string) => exampleOf({ $ref: name }, schemas.components()) as object
  const attachments = type === "message.received" ? [partOf("Attachment")] : []
  const message = { ...partOf("Message"), ...changes, attachments }
  const reference = type === "message.received" ? {} : { external_reference: samples.order }
  return { example: { id: sampleIds.event, type, created_at: samples.read, ...reference, data: { message } } }
}

/** How a message differs from a delivered one. */
const messages: { readonly [type in EventType]?: Partial<typeof MessageResource.Encoded> } = {
  "message.received": {
    external_reference: null,
    direction: "inbound",
    type: "media",
    body: "Thank you!",
    origin: "customer",
    sent_at: null,
    delivered_at: null,
    received_at: samples.read
  },
  "message.queued": { status: "queued", sent_at: null, delivered_at: null },
  "message.sent": { status: "sent", delivered_at: null },
  "message.delivered": {},
  "message.read": { status: "read", read_at: samples.read },
  "message.failed": {
    status: "failed",
    error: { code: "provider_error", message: "The provider could not deliver it." },
    sent_at: null,
    delivered_at: null
  }
}

const tagDescription = [
  "What is posted to the endpoints that an administrator registers for the application. The secret that it is signed with is shown once, when the endpoint is registered.",
  "`X-Webhook-Signature` is `sha256=` and the lower-case hex HMAC-SHA256, with the whole secret as its key, of the value of `X-Webhook-Timestamp`, a dot, and the raw body. Compare in constant time, and reject a timestamp more than 300 seconds away.",
  "Deliveries come in any order, and may come twice: `X-Webhook-ID` tells. Apply states by the times in `data`."
].join("\n\n")

const text = { type: "string" }
const uuid = { type: "string", format: "uuid" }

/** The headers of every delivery (docs/reference/webhooks.md#delivery-headers). */
const headers: {
  readonly [name: string]: { readonly description: string; readonly schema: Json; readonly example: unknown }
} = {
  "User-Agent": { description: "The service.", schema: text, example: "Parley-Webhooks/1.0" },
  "X-Webhook-ID": {
    description: "The event's id, the same on every retry: the key to tell duplicates by.",
    schema: uuid,
    example: sampleIds.event
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
    example: sampleIds.event
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
    example: sampleIds.attempt
  },
  "X-Delivery-Attempt": {
    description: "Which attempt it is, from 1.",
    schema: { type: "string", pattern: "^[1-9]\\d*$" },
    example: "1"
  }
}

const parameter = (name: string, header: Json): Json => ({ name, in: "header", required: true, ...header })
